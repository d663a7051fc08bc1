#include "percuss/dynamics/checked_model.h"

#include <fmt/format.h>

namespace percuss {

CheckedModel::CheckedModel(const Model& model, double start_time, std::vector<Complaint>& complaints)
    : model_(model), start_time_(start_time), inertia_(model.bodies.size()) {
  for (auto& complaint : validate(model)) complaints.push_back(std::move(complaint));
  for (auto& complaint : validate_start(model, start_time)) complaints.push_back(std::move(complaint));
  if (!complaints.empty()) return;  // of bodies that are wrong already, nothing more is said
  for (size_t i = 0; i < model.bodies.size(); ++i)
    std::visit(
        [&](const auto& body) {
          if constexpr (requires { rigid_inertia(body, model, complaints, ""); })
            inertia_[i] = rigid_inertia(body, model, complaints, fmt::format("bodies[{}]", i));
        },
        model.bodies[i]);
}

namespace {

CheckedModel check_or_throw(const Model& model, double start_time) {
  std::vector<Complaint> complaints;
  CheckedModel checked(model, start_time, complaints);
  if (!complaints.empty()) throw ModelError(std::move(complaints));
  return checked;
}

}  // namespace

CheckedModel::CheckedModel(const Model& model, double start_time)
    : CheckedModel(check_or_throw(model, start_time)) {}

}  // namespace percuss
