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
