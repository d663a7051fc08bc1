#pragma once

#include "percuss/io/scene_reader.h"

// What the readers of scenes and studies share.
namespace percuss {

/// Reads `parameters:` and takes it out. Every number may depend on them: throws SceneError if there is a
/// fault.
void read_parameters(SourceNode& root, Environment& environment, Faults& faults);

/// The text of a scene or study. Throws IoError, or SceneError if it is too long.
std::string read_scene_text(const std::string& path);

}  // namespace percuss
