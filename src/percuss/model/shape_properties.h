#pragma once

#include "percuss/geometry/mass_properties.h"
#include "percuss/model/shape.h"

namespace percuss {

/// In the axes of the shape. Throws std::invalid_argument if it bounds no solid.
MassProperties mass_properties_of_shape(const Shape& shape);
/// Where a shape is wrong in a way that no range tells, and what to do.
Complaint complaint_about(const Shape& shape, const std::string& path, const std::string& defect);

/// Of thinner bodies the faces cannot be told apart, and inertias vanish beside others. Throws
/// std::invalid_argument.
void require_thickness(double thinnest, double longest);

}  // namespace percuss
