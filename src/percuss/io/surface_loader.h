#pragma once

#include <string>

#include "percuss/io/scene_reader.h"
#include "percuss/model/model.h"

namespace percuss {

/// Reads the surfaces that shapes of bodies and obstacles name; they lie next to the scene. A file that
/// several name with one scale is read once and shared.
void load_surfaces(Model& model, const std::string& directory, ReadContext& context);

}  // namespace percuss
