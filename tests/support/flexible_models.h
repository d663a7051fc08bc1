#pragma once

#include <string>

#include "percuss/model/model.h"

/// Small flexible bodies of a soft material.
namespace percuss::testing {

template <class Body>
Body slender(const std::string& name, const Vector3& from, const Vector3& to, int elements) {
  Body body;
  body.name = name;
  body.material = "soft";
  body.from = from;
  body.to = to;
  body.elements = elements;
  return body;
}

inline Bar bar(BarLaw law) {
  Bar body = slender<Bar>("bar", {0.2, 0, 0}, {1.4, 0, 0}, 4);
  body.law = law;
  body.area = 0.02;
  return body;
}

inline Beam beam(bool planar) {
  Beam body = planar ? slender<Beam>("beam", {0.1, 0.2, 0}, {0.9, 0.8, 0}, 3)
                     : slender<Beam>("beam", {0.1, 0.2, 0.3}, {0.9, 0.8, 0.9}, 3);
  body.section.rectangle = {0.03, 0.05};
  body.planar = planar;
  return body;
}

inline Solid solid(SolidFormulation formulation, bool plane = false) {
  Solid body;
  body.name = "block";
  body.material = "soft";
  body.formulation = formulation;
  MeshBox box;
  box.size = {0.6, 0.4, plane ? 0.0 : 0.3};
  box.divisions = {2, 1, 1};
  box.cells = plane ? MeshCell::quad4 : MeshCell::hex8;
  body.mesh.box = box;
  return body;
}

inline Model soft_model(Body body) {
  Model model;
  Material soft;
  soft.density = 900;
  soft.young = 2e5;
  soft.poisson = 0.3;
  model.materials = {{"soft", soft}};
  model.gravity = {0.3, -9.81, 1};
  model.bodies = {std::move(body)};
  return model;
}

}  // namespace percuss::testing
