#include "percuss/io/scene_writer.h"

#include <fmt/format.h>

#include "percuss/io/scene.h"

namespace percuss {
namespace {

bool is_flat(const Json& value) {
  return value.is_primitive() || value.empty() ||
         (value.is_array() &&
          std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_primitive(); }));
}

void append(const Json& value, int indent, std::string& out) {
  const std::string pad(static_cast<size_t>(indent), ' ');
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      out += fmt::format("{}{}:", pad, key);
      if (is_flat(item)) {
        out += " " + item.dump() + "\n";
      } else {
        out += "\n";
        append(item, indent + 2, out);
      }
    }
  } else {
    for (const auto& item : value) {
      if (is_flat(item)) {
        out += fmt::format("{}- {}\n", pad, item.dump());
        continue;
      }
      std::string block;
      append(item, indent + 2, block);
      block[static_cast<size_t>(indent)] = '-';
      out += block;
    }
  }
}

}  // namespace

std::string to_yaml(const Json& tree) {
  std::string text;
  append(tree, 0, text);
  return text;
}

std::string resolved_text(const Scene& scene) { return to_yaml(SceneWriter::write(scene)); }

std::string resume_fingerprint(Scene scene) {
  if (!scene.run.time.adaptive) scene.run.time.end = 0;  // the tolerance is one of the whole duration
  scene.run.record.flush = 0;
  return resolved_text(scene);
}

}  // namespace percuss
