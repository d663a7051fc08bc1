#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "percuss/contacts/contact_kinematics.h"
#include "percuss/model/law_of.h"
#include "support/models.h"

namespace percuss {
namespace {

/// Calls test(law) with every law of the table as it is when nothing is given.
template <size_t i = 0>
void for_each_law(auto&& test) {
  if constexpr (i < std::variant_size_v<ContactLaw::Kinds>) {
    test(std::variant_alternative_t<i, ContactLaw::Kinds>());
    for_each_law<i + 1>(test);
  }
}

TEST(Laws, EachHasANameOfItsOwnAndAConeForItsRows) {
  std::set<std::string_view> names;
  for_each_law([&]<class L>(const L& law) {
    static_assert(ContactLawType<L>);
    EXPECT_TRUE(names.insert(L::name).second) << L::name;
    const ContactLaw any(law);
    EXPECT_EQ(any.name(), L::name);
    EXPECT_EQ(any.has_normal(), L::normals == 1);
    for (const int tangents : {1, 2}) {
      ContactLaw in_space_or_plane = any;
      in_space_or_plane.set_tangents(tangents);
      for (const double h : {1.0, 1e-3})
        EXPECT_EQ(in_space_or_plane.cone(h).rows(), in_space_or_plane.rows()) << L::name;
    }
  });
}

TEST(Laws, NewtonsRestitutionActsOnTheRowsItIsGivenFor) {
  const ContactLaw law = Coulomb{.restitution = 0.5, .friction = 0.3, .tangential_restitution = 0.25};
  EXPECT_EQ(law.shift(0, -2), -1);
  for (const int row : {1, 2}) EXPECT_EQ(law.shift(row, 4), 1);
  EXPECT_EQ(ContactLaw(Frictionless{0.5}).shift(0, -2), -1);
  EXPECT_EQ(ContactLaw(JointFriction{7}).shift(0, 3), 0);
}

/// Rows only for what is not zero, and where bodies turn.
TEST(Laws, MomentsHaveRowsOfTheirOwn) {
  const auto rows = [](double friction, double rolling, double spinning, int tangents) {
    ContactLaw law =
        law_of(PairLaw{.between = {}, .friction = friction, .rolling = rolling, .spinning = spinning});
    law.set_tangents(tangents);
    law.set_moment_length(0.1);
    EXPECT_EQ(law.cone(1e-3).rows(), law.rows());
    EXPECT_EQ(law.has_moments(), law.rolling_rows() + law.spinning_rows() > 0);
    return law.rows();
  };
  EXPECT_EQ(rows(0.3, 1e-3, 1e-4, 2), 6);
  EXPECT_EQ(rows(0.3, 1e-3, 0, 2), 5);
  EXPECT_EQ(rows(0.3, 0, 1e-4, 2), 4);
  EXPECT_EQ(rows(0, 1e-3, 1e-4, 2), 4);
  EXPECT_EQ(rows(0.3, 1e-3, 1e-4, 1), 3);
  ContactLaw held = law_of(PairLaw{.between = {}, .friction = 0.3, .rolling = 1e-3});
  held.drop_moments();
  EXPECT_EQ(held.rows(), 3);
}

/// mu and e at a speed, and at most sticking_friction.
TEST(Laws, FrictionAndRestitutionDependOnTheSpeed) {
  FrictionDescription friction = 0.2;
  friction.at_rest = 0.6;
  friction.velocity = 0.1;
  const ContactLaw stribeck = law_of(PairLaw{.between = {}, .friction = friction});
  EXPECT_FALSE(stribeck.friction_is_constant());
  EXPECT_DOUBLE_EQ(stribeck.cone(1).bound, 0.6);
  EXPECT_NEAR(stribeck.cone(1, 0.1).bound, 0.2 + 0.4 / std::exp(1.0), 1e-15);
  EXPECT_DOUBLE_EQ(stribeck.largest_friction(5, 10), 1);
  friction = 0;
  friction.table = {{0, 0.4}, {2, 0.8}};
  EXPECT_DOUBLE_EQ(law_of(PairLaw{.between = {}, .friction = friction}).cone(1, 1).bound, 0.6);
  RestitutionDescription restitution = 0.5;
  restitution.threshold = 0.3;
  const ContactLaw law = law_of(PairLaw{.between = {}, .restitution = restitution});
  EXPECT_FALSE(law.has_constant_restitution());
  EXPECT_EQ(law.shift(0, -0.2), 0);
  EXPECT_EQ(law.shift(0, -2), -1);
}

/// The friction that events compare with is the one that the cone of a step allows.
TEST(Laws, ConesAllowTheLargestFriction) {
  const ContactLaw coulomb = Coulomb{.friction = 0.3}, joint = JointFriction{7};
  constexpr double h = 1e-2, N = 5;
  EXPECT_DOUBLE_EQ(coulomb.cone(h).bound * N, coulomb.largest_friction(N));
  EXPECT_DOUBLE_EQ(joint.cone(h).bound, h * joint.largest_friction(N));
  EXPECT_EQ(joint.cone(1).kind, ConeKind::interval);
  EXPECT_TRUE(coulomb.has_friction() && joint.has_friction());
  EXPECT_FALSE(ContactLaw(Frictionless{0.5}).has_friction());
}

TEST(Laws, DescriptionsBecomeLaws) {
  EXPECT_EQ(law_of(PairLaw{.between = {}, .restitution = 0.5}).name(), "frictionless");
  const ContactLaw sticky = law_of(PairLaw{.between = {}, .friction = 1e9});
  EXPECT_EQ(sticky.name(), "coulomb");
  EXPECT_EQ(sticky.cone(1).bound, sticking_friction) << "more would multiply rounding";
  EXPECT_EQ(law_of(LagrangianSystem::Gap{.name = "gap", .friction = 0.1, .tangents = 1}).rows(), 2);
  Limits limits;
  limits.restitution = 0.5;
  EXPECT_EQ(law_of(limits).shift(0, -2), -1);
}

/// What keeps to a plane slides in one direction, what moves in space in two.
TEST(Laws, BodiesDecideInHowManyDirectionsTheySlide) {
  Model model = testing::ball_model();
  model.pairs[0].friction = 0.2;
  model.obstacles = {testing::plane("floor", {0, -1, 0}, {0, 1, 0})};
  for (const auto& [translations, rows] : {std::pair{Translations::xyz, 3}, {Translations::xy, 2}}) {
    std::get<Particle>(model.bodies[0]).translations = translations;
    const Assembly assembly = build_assembly(model);
    ASSERT_EQ(assembly.interactions.declared.count(), 1);
    EXPECT_EQ(assembly.interactions.declared[0].rows, rows);
    EXPECT_EQ(assembly.interactions.declared[0].law.rows(), rows);
  }
}

}  // namespace
}  // namespace percuss
