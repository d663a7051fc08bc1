#pragma once

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/io/scene_parts.h"
#include "percuss/io/study.h"

namespace percuss {

/// Turns the description of a study into its plan: loads the scene for each integrator, finds the quantities
/// and the reference. Throws SceneError with every fault found.
class StudySetup {
 public:
  StudySetup(Study& study, ReadContext& context, std::string directory, std::vector<std::string> overrides,
             std::vector<std::string> plugin_path);
  void run();

 private:
  void refuse_own_keys(const std::vector<std::string>& overrides, const std::string& path);
  void load_members();
  void load_member(const StudyIntegrator& integrator, const std::string& path);
  void find_quantities();
  void check_member(size_t member);
  void plan_runs();
  void find_reference();
  void use_formulas(const NamedMap<Expression>& formulas);
  void use_file(const std::string& name);
  void use_run(const FinestReference& finest);

  /// The name that was probably meant, or all that there are.
  static std::string suggest(const std::string& name, const std::vector<std::string>& known);
  StudyTask task(size_t member, double step) const;
  void make_adaptive(size_t member, double tolerance, StudyTask& task) const;
  void fault(const std::string& path, const std::string& message);
  void throw_if_faulty() const;
  bool needs_graphs() const { return study_.description.norm == Norm::graph; }
  const RunConfig& first_config() const { return members_.front().config; }

  /// The scene as one integrator sees it.
  struct Member {
    std::shared_ptr<const Assembly> assembly;
    RunConfig config;
    std::vector<double> tolerances;  ///< of adaptive steps, by step
  };

  Study& study_;
  ReadContext& context_;
  std::string directory_;
  std::vector<std::string> overrides_, plugin_path_;
  std::vector<Member> members_;
  std::vector<std::string> probes_;  ///< texts of the quantities
};

}  // namespace percuss
