#include "percuss/io/xml_escape.h"

#include "percuss/io/printable.h"

namespace percuss {

std::string xml_escape(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text, "\n\r\t")) {  // XML has no other control characters
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

}  // namespace percuss
