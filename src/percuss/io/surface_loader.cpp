#include "percuss/io/surface_loader.h"

#include <filesystem>
#include <map>

#include "percuss/geometry/hull_corners.h"
#include "percuss/io/heightmap_file.h"
#include "percuss/io/io_error.h"
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
      obstacle.surface = std::make_shared<const TriangleMesh>(read_heightmap(file, obstacle.cell));
    });
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
    if (context_.faults.covers(path) || !sizes_are_good) {  // what is wrong is said elsewhere
      context_.unreadable.insert(path + ".file");
      return;
    }
    try {
      load();
    } catch (const IoError& e) {
      complain(path, e.what());
    } catch (const std::invalid_argument& e) {
      complain(path, fmt::format("{}: {}", file, e.what()));
    }
  }
  void complain(const std::string& path, const std::string& message) {
    context_.faults.add(context_.places.find(path + ".file"), path + ".file", message);
    context_.unreadable.insert(path + ".file");
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
    if (auto* body = std::get_if<RigidBody>(&model.bodies[i]); body && body->shape)
      loader.load(fmt::format("bodies[{}].shape", i), *body->shape);
  for (size_t i = 0; i < model.obstacles.size(); ++i)
    std::visit([&](auto& obstacle) { loader.load(fmt::format("obstacles[{}]", i), obstacle); },
               model.obstacles[i]);
}

}  // namespace percuss
