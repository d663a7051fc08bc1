#pragma once

#include <string>

namespace percuss {

/// Text as it stands in XML, HTML and SVG, also in attributes.
std::string xml_escape(const std::string& text);

}  // namespace percuss
