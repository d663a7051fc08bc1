#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "percuss/geometry/half_space.h"
#include "percuss/math/fields.h"
#include "percuss/model/orientation.h"
#include "percuss/model/shape.h"

namespace percuss {

/// A surface that moves along itself while its shape stays where it is.
constexpr Field conveyor_field() {
  return {.unit = "m/s",
          .help =
              "of a conveyor: how fast its surface moves along itself, in its own axes; what "
              "lies on it is dragged along by friction"};
}

struct HalfSpaceObstacle {
  static constexpr std::string_view kind = "half_space";
  static constexpr std::string_view about = "everything behind a plane: a floor, a wall, an inclined plane";
  std::string name;
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();
  std::string material;
  std::string frame = "ground";
  Vector3 surface_velocity = Vector3::Zero();

  static void fields(auto& self, auto& visit) {
    visit("surface_velocity", self.surface_velocity, conveyor_field());
    visit("point", self.point, Field{.unit = "m", .help = "a point of the plane"});
    visit("frame", self.frame,
          Field{.help = "name of a frame or a body that carries it; point and normal are then in its axes"});
    visit("normal", self.normal,
          Field{.help = "direction from the obstacle into the free side; any length but zero"});
    visit("material", self.material, Field{.help = "name of a material", .required = true});
  }
};

enum class BoxFace { x_min, x_max, y_min, y_max, z_min, z_max };
template <>
struct EnumNames<BoxFace> {
  static constexpr std::array<std::pair<BoxFace, std::string_view>, 6> values = {
      {{BoxFace::x_min, box_face_names[0]},
       {BoxFace::x_max, box_face_names[1]},
       {BoxFace::y_min, box_face_names[2]},
       {BoxFace::y_max, box_face_names[3]},
       {BoxFace::z_min, box_face_names[4]},
       {BoxFace::z_max, box_face_names[5]}}};
};

struct BoxObstacle {
  static constexpr std::string_view kind = "box";
  static constexpr std::string_view about =
      "walls around a room; each face is a half-space named `box_name.face`, e.g. `room.x_min`. A solid box "
      "is "
      "`obstacle: NAME, shape: {box: ...}`";
  std::string name;
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
  std::vector<BoxFace> faces = {BoxFace::x_min, BoxFace::x_max, BoxFace::y_min,
                                BoxFace::y_max, BoxFace::z_min, BoxFace::z_max};
  std::string material;

  static void fields(auto& self, auto& visit) {
    visit("lower", self.lower,
          Field{.unit = "m", .help = "corner with the smallest coordinates", .required = true});
    visit("upper", self.upper,
          Field{.unit = "m", .help = "corner with the largest coordinates", .required = true});
    visit("faces", self.faces, Field{.help = "the walls that exist"});
    visit("material", self.material, Field{.help = "name of a material", .required = true});
  }
};

/// Where a shape stands and what carries it.
struct PlacedObstacle {
  std::string name;
  Vector3 position = Vector3::Zero();
  Orientation orientation;
  std::string frame = "ground";
  std::string material;
  Vector3 surface_velocity = Vector3::Zero();

  static void fields(auto& self, auto& visit) {
    visit("surface_velocity", self.surface_velocity, conveyor_field());
    visit("position", self.position, Field{.unit = "m", .help = "where the origin of its axes stands"});
    visit("orientation", self.orientation,
          Field{.help = "the rotation from its axes to those of space, or of what carries it"});
    visit("frame", self.frame,
          Field{.help = "name of a frame or a rigid or planar body that carries it; position and orientation "
                        "are then in its axes"});
    visit("material", self.material, Field{.help = "name of a material", .required = true});
  }
};

/// What stands still, or moves with something, and has a shape. Bodies find it by themselves.
struct ShapeObstacle : PlacedObstacle {
  static constexpr std::string_view kind = "obstacle";
  static constexpr std::string_view about =
      "a solid shape that stands still or moves with what carries it: a plate, a ramp, a blade. Bodies touch "
      "it that stand beside it in `contacts: [{between: [...]}]`";
  Shape shape;

  static void fields(auto& self, auto& visit) {
    visit("shape", self.shape, Field{.help = "as of a rigid body, in its own axes", .required = true});
    PlacedObstacle::fields(self, visit);
  }
};

/// A surface from a file; it may have borders.
struct MeshObstacle : PlacedObstacle {
  static constexpr std::string_view kind = "mesh";
  static constexpr std::string_view about = "a surface of triangles, such as a terrain; it may have borders";
  std::string file;
  double scale = 1;
  std::shared_ptr<const TriangleMesh> surface;  ///< of the file, scaled, in its own axes [m]

  static void fields(auto& self, auto& visit) {
    visit("file", self.file, Field{.help = "a .stl or .obj file next to the scene", .required = true});
    visit("scale", self.scale,
          Field{.help = "metres for a unit of the file's lengths, 0.001 for mm", .range = allow::positive});
    PlacedObstacle::fields(self, visit);
  }
};

/// Heights over a grid.
struct HeightmapObstacle : PlacedObstacle {
  static constexpr std::string_view kind = "heightmap";
  static constexpr std::string_view about =
      "a surface by its heights over a grid, such as a hill; each cell is divided by the diagonal from its "
      "corner with the smallest x and y";
  std::string file;
  std::array<double, 2> cell = {0, 0};
  std::optional<std::array<double, 2>> height;
  std::shared_ptr<const TriangleMesh> surface;  ///< of the file, in its own axes [m]

  static void fields(auto& self, auto& visit) {
    visit("file", self.file,
          Field{.unit = "m",
                .help = "a .csv file next to the scene with the heights z: x grows along a line, y from line "
                        "to line; the first number stands at x = y = 0. Or a grey .png picture, whose lower "
                        "left pixel stands there",
                .required = true});
    visit("cell", self.cell,
          Field{.unit = "m",
                .help = "distances of neighbours along x and y; a single number is both",
                .range = allow::positive,
                .required = true});
    visit("height", self.height,
          Field{.unit = "m",
                .help = "of a picture: [low, high], where black and white are; between them heights are "
                        "linear in the grey value"});
    PlacedObstacle::fields(self, visit);
  }
};

using Obstacle = std::variant<HalfSpaceObstacle, BoxObstacle, ShapeObstacle, MeshObstacle, HeightmapObstacle>;

inline const std::string& name_of(const Obstacle& obstacle) {
  return std::visit([](const auto& o) -> const std::string& { return o.name; }, obstacle);
}

/// Whether it is more than walls.
inline bool has_shape(const Obstacle& obstacle) {
  return !std::holds_alternative<HalfSpaceObstacle>(obstacle) &&
         !std::holds_alternative<BoxObstacle>(obstacle);
}
/// What it moves with; a room stands on the ground.
inline const std::string& carrier_of(const Obstacle& obstacle) {
  static const std::string ground = "ground";
  return std::visit(
      [](const auto& o) -> const std::string& {
        if constexpr (requires { o.frame; })
          return o.frame;
        else
          return ground;
      },
      obstacle);
}

/// One wall that a body can touch: `floor`, or `room.x_min` for a face of a box.
struct Wall {
  std::string name;
  std::string obstacle;
  std::string material;
  std::string frame;  ///< or `ground`
  HalfSpace solid;
  Vector3 surface_velocity = Vector3::Zero();  ///< [m/s], in the axes of the frame
};
std::vector<Wall> walls_of(const std::vector<Obstacle>& obstacles);

}  // namespace percuss
