#include "percuss/io/surface_loader.h"

#include <filesystem>
#include <map>

#include "percuss/geometry/hull_corners.h"
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
    if (context_.faults.covers(path)) return;
    if (!(shape.scale > 0)) {  // the range is complained of elsewhere
      context_.unreadable.insert(path + ".file");
      return;
    }
    auto& loaded = known[{*shape.file, shape.scale}];
    try {
      if (!loaded) {
        TriangleMesh mesh = read_surface(std::filesystem::path(directory_) / *shape.file);
        for (Vector3& vertex : mesh.vertices) vertex *= shape.scale;
        loaded = std::make_shared<const T>(make(std::move(mesh)));
      }
      shape.loaded = loaded;
    } catch (const IoError& e) {
      complain(path, e.what());
    } catch (const std::invalid_argument& e) {
      complain(path, fmt::format("{}: {}", *shape.file, e.what()));
    }
  }
  void complain(const std::string& path, const std::string& message) {
    context_.faults.add(context_.places.find(path + ".file"), path + ".file", message);
    context_.unreadable.insert(path);
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
    if (auto* obstacle = std::get_if<ShapeObstacle>(&model.obstacles[i]))
      loader.load(fmt::format("obstacles[{}].shape", i), obstacle->shape);
}

}  // namespace percuss
