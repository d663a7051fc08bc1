#include "percuss/io/surface_loader.h"

#include <filesystem>
#include <map>

#include "percuss/geometry/hull_corners.h"
#include "percuss/io/heightmap_file.h"
#include "percuss/io/io_error.h"
#include "percuss/io/profile_file.h"
#include "percuss/io/surface_file.h"

namespace percuss {
namespace {

class SurfaceLoader {
 public:
  SurfaceLoader(const std::string& directory, ReadContext& context)
      : directory_(directory), context_(context) {}

  void load(const std::string& path, Shape& shape) {
    load_piece(path, shape);
    for (size_t i = 0; shape.compound && i < shape.compound->size(); ++i)
      load_piece(fmt::format("{}.compound[{}].shape", path, i), (*shape.compound)[i].shape);
  }

  void load(const std::string& path, ShapeObstacle& obstacle) { load(path + ".shape", obstacle.shape); }
  void load(const std::string& path, MeshObstacle& obstacle) {
    load_file(path, obstacle.file, obstacle.scale > 0, [&] {
      auto& loaded = meshes_[{obstacle.file, obstacle.scale}];
      if (!loaded) loaded = std::make_shared<const TriangleMesh>(read_scaled(obstacle.file, obstacle.scale));
      obstacle.surface = loaded;
    });
  }
  void load(const std::string& path, HeightmapObstacle& obstacle) {
    load_file(path, obstacle.file, obstacle.cell[0] > 0 && obstacle.cell[1] > 0, [&] {
      const auto file = std::filesystem::path(directory_) / obstacle.file;
      if (!obstacle.file.ends_with(".png"))
        obstacle.surface = std::make_shared<const TriangleMesh>(read_heightmap(file, obstacle.cell));
      else if (obstacle.height)
        obstacle.surface =
            std::make_shared<const TriangleMesh>(read_height_picture(file, obstacle.cell, *obstacle.height));
    });
  }
  void load(const std::string& path, PlanarShape& shape) {
    if (shape.profile) load_table(path + ".profile", *shape.profile);
  }
  void load(const std::string&, HalfSpaceObstacle&) {}
  void load(const std::string&, BoxObstacle&) {}

 private:
  template <class T>
  using Loaded = std::map<std::pair<std::string, double>, std::shared_ptr<const T>>;

  void load_piece(const std::string& path, SimpleShape& shape) {
    if (shape.mesh && shape.mesh->file)
      load_from(path + ".mesh", *shape.mesh, meshes_, [](TriangleMesh mesh) { return mesh; });
    if (shape.hull && shape.hull->file)
      load_from(path + ".hull", *shape.hull, hulls_,
                [](const TriangleMesh& mesh) { return hull_corners(mesh.vertices); });
    if (shape.profile) load_table(path + ".profile", *shape.profile);
  }

  void load_table(const std::string& path, Profile& profile) {
    if (!profile.table) return;
    load_file(path, *profile.table, profile.scale > 0, "table", [&] {
      auto corners = read_profile(std::filesystem::path(directory_) / *profile.table);
      for (auto& corner : corners)
        for (double& x : corner) x *= profile.scale;
      profile.loaded = std::make_shared<const std::vector<std::array<double, 2>>>(std::move(corners));
    });
  }

  /// Gives `shape` what its file holds, or adds a fault.
  template <class T, class Given>
  void load_from(const std::string& path, Given& shape, Loaded<T>& known, auto&& make) {
    load_file(path, *shape.file, shape.scale > 0, [&] {
      auto& loaded = known[{*shape.file, shape.scale}];
      if (!loaded) loaded = std::make_shared<const T>(make(read_scaled(*shape.file, shape.scale)));
      shape.loaded = loaded;
    });
  }
  TriangleMesh read_scaled(const std::string& file, double scale) const {
    TriangleMesh mesh = read_surface(std::filesystem::path(directory_) / file);
    for (Vector3& vertex : mesh.vertices) vertex *= scale;
    return mesh;
  }
  void load_file(const std::string& path, const std::string& file, bool sizes_are_good, auto&& load) {
    load_file(path, file, sizes_are_good, "file", load);
  }
  /// `key` names the file.
  void load_file(const std::string& path, const std::string& file, bool sizes_are_good, const char* key,
                 auto&& load) {
    const std::string place = fmt::format("{}.{}", path, key);
    if (context_.faults.covers(path) || !sizes_are_good) {  // what is wrong is said elsewhere
      context_.unreadable.insert(place);
      return;
    }
    try {
      load();
    } catch (const IoError& e) {
      complain(place, e.what());
    } catch (const std::invalid_argument& e) {
      complain(place, fmt::format("{}: {}", file, e.what()));
    }
  }
  void complain(const std::string& place, const std::string& message) {
    context_.faults.add(context_.places.find(place), place, message);
    context_.unreadable.insert(place);
  }

  const std::string& directory_;
  ReadContext& context_;
  Loaded<TriangleMesh> meshes_;
  Loaded<std::vector<Vector3>> hulls_;
};

}  // namespace

void load_surfaces(Model& model, const std::string& directory, ReadContext& context) {
  SurfaceLoader loader(directory, context);
  for (size_t i = 0; i < model.bodies.size(); ++i)
    std::visit(
        [&](auto& body) {
          if constexpr (requires { loader.load("", *body.shape); })
            if (body.shape) loader.load(fmt::format("bodies[{}].shape", i), *body.shape);
        },
        model.bodies[i]);
  for (size_t i = 0; i < model.obstacles.size(); ++i)
    std::visit([&](auto& obstacle) { loader.load(fmt::format("obstacles[{}]", i), obstacle); },
               model.obstacles[i]);
}

}  // namespace percuss
