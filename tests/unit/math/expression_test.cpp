#include "percuss/math/expression.h"

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "percuss/math/nearest_name.h"
#include "support/count_allocations.h"

namespace percuss {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

Expression::Options options() {
  Expression::Options result;
  result.variables = [](std::string_view name) -> std::optional<double> {
    static const std::map<std::string, double, std::less<>> values{{"width", 2.5},        {"drop", -0.3},
                                                                   {"omega", 2 * pi / 3}, {"tiny", 1e-300},
                                                                   {"endless", infinity}, {"min", 7}};
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  result.tables = [](const std::string& file) {
    if (file == "missing.csv") throw ExpressionError("cannot open missing.csv");
    if (file == "null.csv") return std::shared_ptr<const Table>();
    if (file == "bad.csv") return std::make_shared<const Table>(std::vector{1.0}, std::vector{1.0});
    return std::make_shared<const Table>(std::vector{-4.0, -1.0, 0.0, 1.5, 5.0},
                                         std::vector{1.0, 3.0, -2.0, 0.5, 4.0});
  };
  result.allow_time = true;
  result.known_names = [] { return std::vector<std::string>{"width", "drop", "omega", "tiny", "endless"}; };
  return result;
}

Expression parse(std::string_view text) { return Expression::parse(text, options()); }
double value(std::string_view text, double t = 0) { return parse(text).value(t); }

/// Equal bit by bit as far as a comparison can see, and NaN equals NaN.
void expect_same(double a, double b) {
  EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " and " << b;
}

void expect_same_function(const Expression& a, const Expression& b) {
  for (const double t : {-3.7, -1.0, 0.0, 0.25, 0.5, 1.0, 2.6, 11.0}) {
    expect_same(a.value(t), b.value(t));
    expect_same(a.jet(t).value, b.jet(t).value);
    expect_same(a.jet(t).first, b.jet(t).first);
    expect_same(a.jet(t).second, b.jet(t).second);
    expect_same(a.value(t), a.jet(t).value);
  }
}

TEST(Expression, reads_numbers_and_constants) {
  EXPECT_EQ(value("1"), 1);
  EXPECT_EQ(value(" 1.5\t"), 1.5);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("2E+2"), 200);
  EXPECT_EQ(value("5e-324"), 5e-324);
  EXPECT_EQ(value("pi"), pi);
  EXPECT_EQ(value("180 * deg"), 180 * (pi / 180));
  EXPECT_EQ(value("t", 0.25), 0.25);
  EXPECT_EQ(value("width"), 2.5);
}

TEST(Expression, follows_precedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^-2^2"), 1.0 / 16);
  EXPECT_EQ(value("2 * 3 ** 2"), 18);
  EXPECT_EQ(value("-3 * -2"), 6);
  EXPECT_EQ(value("1 - -1"), 2);
  EXPECT_EQ(value("+-+-3"), 3);
  EXPECT_EQ(value("1 + 1 == 2"), 1);
  EXPECT_EQ(value("1 < 2 and 3 < 2"), 0);
  EXPECT_EQ(value("1 or 0 and 0"), 1);
  EXPECT_EQ(value("not 1 == 2"), 1);
  EXPECT_EQ(value("not not 5"), 1);
  EXPECT_EQ(value("not 0 and 0"), 0);
}

TEST(Expression, follows_associativity) {
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("16 / 4 / 2"), 2);
  EXPECT_EQ(value("8 / 4 * 2"), 4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("t - 4 - 3", 10), 3);
  EXPECT_EQ(value("t^3^2", 2), 512);
}

TEST(Expression, compares) {
  EXPECT_EQ(value("t < 1", 1), 0);
  EXPECT_EQ(value("t <= 1", 1), 1);
  EXPECT_EQ(value("t > 1", 1), 0);
  EXPECT_EQ(value("t >= 1", 1), 1);
  EXPECT_EQ(value("t == 1", 1), 1);
  EXPECT_EQ(value("t != 1", 1), 0);
}

TEST(Expression, knows_the_functions) {
  EXPECT_EQ(value("sin(1) + cos(2) + tan(3)"), std::sin(1) + std::cos(2) + std::tan(3));
  EXPECT_EQ(value("asin(.1) + acos(.2) + atan(.3)"), std::asin(.1) + std::acos(.2) + std::atan(.3));
  EXPECT_EQ(value("sinh(1) + cosh(2) + tanh(3)"), std::sinh(1) + std::cosh(2) + std::tanh(3));
  EXPECT_EQ(value("atan2(1, -1)"), std::atan2(1, -1));
  EXPECT_EQ(value("exp(1)"), std::exp(1));
  EXPECT_EQ(value("log(2) + log10(1000)"), std::log(2) + 3);
  EXPECT_EQ(value("sqrt(16) + abs(-3)"), 7);
  EXPECT_EQ(value("min(3, 1, 2) + max(3, 1, 2, 5)"), 6);
  EXPECT_EQ(value("min"), 7) << "without parenthesis a function name is free for parameters";
  EXPECT_EQ(value("pow(2, 10)"), 1024);
  EXPECT_EQ(value("sign(-2) + sign(0) + sign(9)"), 0);
  EXPECT_EQ(value("floor(-1.5)"), -2);
  EXPECT_EQ(value("ceil(-1.5)"), -1);
  EXPECT_EQ(value("mod(7, 3)"), 1);
  EXPECT_EQ(value("mod(-1, 3)"), 2);
  EXPECT_EQ(value("mod(1, -3)"), -2);
  EXPECT_EQ(value("step(-1e-9)"), 0);
  EXPECT_EQ(value("step(0)"), 1);
  EXPECT_EQ(value("table('a.csv', -0.5)"), 0.5);
  EXPECT_EQ(value("spline(\"a.csv\", t)", 1.5), 0.5);
}

TEST(Expression, evaluates_only_the_taken_branch) {
  const Expression sinc = parse("if(t > 0, sin(t)/t, 1)");
  EXPECT_EQ(sinc.jet(0), Jet::constant(1));
  EXPECT_EQ(sinc.value(2), std::sin(2.0) / 2);
  EXPECT_EQ(value("2 + if(t > 1, if(t > 2, 30, 20), 10) * 3", 3), 92);
  EXPECT_EQ(value("2 + if(t > 1, if(t > 2, 30, 20), 10) * 3", 2), 62);
  EXPECT_EQ(value("2 + if(t > 1, if(t > 2, 30, 20), 10) * 3", 1), 32);
  EXPECT_EQ(value("if(t >= 0 and not t > 1, t, -t)", 0.5), 0.5);
  EXPECT_EQ(value("if(t >= 0 and not t > 1, t, -t)", 2), -2);
  EXPECT_EQ(parse("sqrt(max(0, t - 1))").jet(0.5), Jet::constant(0));
}

TEST(Expression, folds_constants) {
  EXPECT_TRUE(parse("sin(width) + if(1 > 0, 2, t)").is_constant());
  EXPECT_TRUE(parse("table('a.csv', width)").is_constant());
  EXPECT_TRUE(parse("1 / 0").is_constant());
  EXPECT_FALSE(parse("0 * t").is_constant());
  EXPECT_EQ(parse("t * (2 + 3 * 4)").canonical(), "t * 14");
  EXPECT_EQ(parse("if(width > 2, t, t / 0)").canonical(), "t");
  EXPECT_TRUE(Expression().is_constant());
  EXPECT_EQ(Expression().jet(3), Jet::constant(0));
  EXPECT_EQ(Expression::constant(-0.1).value(9), -0.1);
  EXPECT_EQ(Expression::constant(-0.1).canonical(), "-0.1");
}

TEST(Expression, derivatives_agree_with_central_differences) {
  const std::vector<std::pair<std::string, std::vector<double>>> cases{
      {"t^2 + 3*t - 4/(t + 9)", {-2, 0, 1.5}},
      {"sin(t^2)", {-2, 0, 1.5}},
      {"cos(t^2)", {-2, 0, 1.5}},
      {"tan(t/2)", {-2, 0, 1.5}},
      {"asin(t^3)", {-0.7, 0, 0.5}},
      {"acos(t^3)", {-0.7, 0, 0.5}},
      {"atan(t^2)", {-2, 0, 1.5}},
      {"atan2(sin(t), 3*cos(t) + t)", {-2, 0, 1.5}},
      {"sinh(t^2)", {-1, 0, 1.5}},
      {"cosh(t^2)", {-1, 0, 1.5}},
      {"tanh(t^2)", {-1, 0, 1.5}},
      {"exp(-t^2)", {-1, 0, 1.5}},
      {"log(t^3 + 1)", {0, 0.5, 2}},
      {"log10(t^3 + 1)", {0, 0.5, 2}},
      {"sqrt(t^3 + 1)", {0, 0.5, 2}},
      {"abs(t^3)", {-1, 0.5, 2}},
      {"min(t, t^2, 3)", {-1, 0.5, 4}},
      {"max(t, t^2, -3)", {-1, 0.5, 4}},
      {"pow(t, 4) + t^-2 + (-t)^3", {-2, 0.5, 2}},
      {"pow(1 + t^2, t)", {-2, 0, 1.5}},
      {"sign(t) * t^2", {-2, 1.5}},
      {"floor(t) * t^2", {-2.5, 1.5}},
      {"ceil(t) * t^2", {-2.5, 1.5}},
      {"mod(t^2, 1 + t/10)", {-2.3, 0.5, 1.7}},
      {"step(t - 1) * (t - 1)^2", {-2, 2}},
      {"if(t < 0, t^3, sin(t))", {-2, 1.5}},
      {"(t < 1) * t^2 + (t >= 1 or t < -9) * t", {0.5, 1.5}},
      {"table('a.csv', t^2 / 2)", {-1, 0.5, 2.5}},
      {"spline('a.csv', t^2 / 2)", {-1, 0.5, 2.5}},
  };
  const double h = 1e-5;
  for (const auto& [text, points] : cases) {
    const Expression f = parse(text);
    for (const double t : points) {
      SCOPED_TRACE(text + " at " + std::to_string(t));
      const Jet jet = f.jet(t);
      EXPECT_EQ(jet.value, f.value(t));
      EXPECT_NEAR(jet.first, (f.value(t + h) - f.value(t - h)) / (2 * h), 1e-7 * (1 + std::abs(jet.first)));
      EXPECT_NEAR(jet.second, (f.jet(t + h).first - f.jet(t - h).first) / (2 * h),
                  1e-7 * (1 + std::abs(jet.second)));
    }
  }
}

TEST(Expression, canonical_text_is_readable) {
  EXPECT_EQ(parse("width*sin( omega*t )").canonical(), "2.5 * sin(2.0943951023931953 * t)");
  EXPECT_EQ(parse("t-(drop)").canonical(), "t - (-0.3)");
  EXPECT_EQ(parse("drop**t").canonical(), "(-0.3) ^ t");
  EXPECT_EQ(parse("drop*t").canonical(), "-0.3 * t");
  EXPECT_EQ(parse("(t+1)+(t+2)").canonical(), "t + 1 + (t + 2)");
  EXPECT_EQ(parse("((t*2)/3)").canonical(), "t * 2 / 3");
  EXPECT_EQ(parse("t^(2^t)").canonical(), "t ^ 2 ^ t");
  EXPECT_EQ(parse("(t^2)^t").canonical(), "(t ^ 2) ^ t");
  EXPECT_EQ(parse("-(t^2)").canonical(), "-t ^ 2");
  EXPECT_EQ(parse("pow(-t, 2)").canonical(), "(-t) ^ 2");
  EXPECT_EQ(parse("not(t<1 and t>0)").canonical(), "not (t < 1 and t > 0)");
  EXPECT_EQ(parse("table(\"it's.csv\", t)").canonical(), "table(\"it's.csv\", t)");
  EXPECT_EQ(parse("spline(\"a.csv\",t)").canonical(), "spline('a.csv', t)");
}

TEST(Expression, canonical_text_means_the_same) {
  const std::vector<std::string> texts{
      "0",
      "-0.0",
      "pi",
      "1/3",
      "1e-300 * tiny",
      "endless",
      "-endless * t",
      "t - endless",
      "0 * endless + t",
      "width * sin(omega * t + drop)",
      "drop^t",
      "2^drop^t",
      "(2^drop)^t",
      "-t^2",
      "(-t)^2",
      "-(-t)",
      "--t",
      "-(t*2)",
      "-t*2",
      "t - (t - 1)",
      "t + (t + 0.1)",
      "t * (t * 0.1)",
      "t / (t / 3)",
      "t / t * 3",
      "1 - -t",
      "1 - -drop*t",
      "2 * -t",
      "2^-t",
      "2^(-t)^2",
      "not t",
      "not not t",
      "-(not t)",
      "(not t) < 1",
      "not t < 1",
      "not (t and 1)",
      "t and (not t or 1)",
      "(t or 1) and 0.5 < t",
      "(t < 1) == (t > 0)",
      "(1 < t) < 1",
      "t < 1 + 2 * t",
      "if(t > 0, sin(t) / t, if(t < -1, -1, width))",
      "1 + if(t > drop, 1, 2) ^ 2",
      "min(t, 1, drop) - max(-t, 2, t^2)",
      "atan2(t, drop) + mod(t, width) * sign(t) + floor(t) - ceil(-t) + step(t - 1)",
      "pow(t, drop)",
      "pow(t, 2) ^ 2",
      "-table('a.csv', t - drop)^2",
      "spline(\"b.csv\", table('a.csv', if(t>0, t, -t)))",
      "exp(-t) * log(t) * log10(t)",
      "sqrt(abs(t)) + tan(t) + asin(t/9) + acos(t/9) + atan(t) + sinh(t) + cosh(t) + tanh(t)"};
  for (const std::string& text : texts) {
    const Expression original = parse(text);
    const std::string canonical = original.canonical();
    SCOPED_TRACE(text + "  ->  " + canonical);
    Expression::Options plain = options();
    plain.variables = nullptr;
    const Expression again = Expression::parse(canonical, plain);
    EXPECT_EQ(again.canonical(), canonical);
    expect_same_function(original, again);
  }
}

struct Trouble {
  std::string text;
  std::string message;
  std::size_t position;
};

void expect_trouble(const Trouble& trouble, const Expression::Options& with) {
  SCOPED_TRACE(trouble.text.substr(0, 60));
  try {
    Expression::parse(trouble.text, with);
    ADD_FAILURE() << "no error";
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.what(), trouble.message);
    EXPECT_EQ(error.position(), trouble.position);
  }
}

TEST(Expression, explains_errors) {
  const std::vector<Trouble> troubles{
      {"", "the expression is empty", 0},
      {" \t\n", "the expression is empty", 0},
      {"1 + $", "unexpected character '$'", 4},
      {"1 \xC2\xB5", "unexpected character (byte 0xC2)", 2},
      {"t = 1", "unexpected character '='; to compare, write ==", 2},
      {".", "unexpected character '.'", 0},
      {"1e999", "the number 1e999 is out of range", 0},
      {"(1 + 2", "missing ')' before the end", 6},
      {"sin(1", "missing ')' before the end", 5},
      {"sin(1 2)", "missing ')' before '2'", 6},
      {"1 + 2)", "unexpected ')': missing '(' before it", 5},
      {"sin(1, 2)", "sin takes 1 argument, got 2", 0},
      {"2*sin()", "sin takes 1 argument, got 0", 2},
      {"atan2(1)", "atan2 takes 2 arguments, got 1", 0},
      {"min(1)", "min takes at least 2 arguments, got 1", 0},
      {"if(1, 2)", "if takes 3 arguments, got 2", 0},
      {"table('a.csv')", "table takes 2 arguments, got 1", 0},
      {"2 * widht", "unknown name 'widht'; did you mean 'width'?", 4},
      {"sine(1)", "unknown name 'sine'; did you mean 'sin'?", 0},
      {"Pi", "unknown name 'Pi'; did you mean 'pi'?", 0},
      {"T", "unknown name 'T'; did you mean 't'?", 0},
      {"x", "unknown name 'x'", 0},
      {"nan", "a number must be finite, not nan", 0},
      {"1 - Inf", "a number must be finite, not Inf", 4},
      {"infinity", "a number must be finite, not infinity", 0},
      {"-.inf", "a number must be finite, not .inf", 1},
      {"2 * .NaN", "a number must be finite, not .NaN", 4},
      {".info", "unexpected character '.'", 0},
      {"nothing_like_it", "unknown name 'nothing_like_it'", 0},
      {"sin + 1", "sin is a function: write sin(...)", 0},
      {"width(2)", "'width' is not a function", 0},
      {"pi(2)", "'pi' is not a function", 0},
      {"1 +", "expected a value, found the end", 3},
      {"1 + * 2", "expected a value, found '*'", 4},
      {"()", "expected a value, found ')'", 1},
      {"and 1", "expected a value, found 'and'", 0},
      {"min(1, )", "expected a value, found ')'", 7},
      {"1 2", "unexpected '2' after the end of the expression", 2},
      {"2t", "unexpected 't' after the end of the expression", 1},
      {"1, 2", "unexpected ',' after the end of the expression", 1},
      {"1 < t < 2", "comparisons cannot be chained; join them with 'and'", 6},
      {"1 + not t", "write parentheses around 'not ...' here", 4},
      {"table('a.csv, t)", "missing closing quote '", 6},
      {"'a.csv'", "a text in quotes is only allowed as the first argument of table or spline", 0},
      {"table(t, t)", "table needs a file name in quotes as its first argument", 0},
      {"1 + table('missing.csv', t)", "cannot open missing.csv", 10},
      {"table('null.csv', t)", "the table 'null.csv' cannot be loaded", 6},
      {"table('bad.csv', t)", "'bad.csv': a table needs at least 2 points, got 1", 6},
      {std::string(201, '(') + "1" + std::string(201, ')'), "nested too deeply (more than 200 levels)", 200},
      {std::string(10001, '1'), "the expression is longer than 10000 characters", 10000},
  };
  for (const Trouble& trouble : troubles) expect_trouble(trouble, options());
}

TEST(Expression, explains_what_the_place_forbids) {
  Expression::Options bare;
  expect_trouble({"1 + t", "t is not allowed here: this value must not depend on time", 4}, bare);
  expect_trouble({"if(1, 2, t)", "t is not allowed here: this value must not depend on time", 9}, bare);
  expect_trouble({"table('a.csv', 1)", "table is not allowed here: no files can be read", 0}, bare);
  expect_trouble({"T", "unknown name 'T'", 0}, bare);
  bare.variables = [](std::string_view) { return 5.0; };
  EXPECT_EQ(Expression::parse("pi", bare).value(0), pi) << "constants cannot be shadowed";
  expect_trouble({"t", "t is not allowed here: this value must not depend on time", 0}, bare);
}

TEST(Expression, limits_its_resources) {
  const auto repeated = [](std::string_view text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
  };
  EXPECT_EQ(value(repeated("(", 200) + "t" + repeated(")", 200), 3), 3);
  EXPECT_EQ(value(repeated("-", 9999) + "t", 3), -3);
  EXPECT_EQ(value(repeated("not ", 2000) + "t", 3), 1);
  EXPECT_EQ(value(std::string("t") + repeated("+t", 2000), 1), 2001);
  EXPECT_EQ(value(std::string("min(1") + repeated(",t", 3000) + ")", -1), -1);
  EXPECT_EQ(value(repeated("t+(", 60) + "t" + repeated(")", 60), 1), 61);
  const std::string complicated = "too complicated: name a part of it as a parameter";
  expect_trouble({repeated("t+(", 64) + "t" + repeated(")", 64), complicated, 1}, options());
  expect_trouble({repeated("max(t,", 64) + "t" + repeated(")", 64), complicated, 0}, options());
  expect_trouble({repeated("t^", 300) + "t", "nested too deeply (more than 200 levels)", 402}, options());
  expect_trouble({std::string("omega*t") + repeated("+omega*t", 1000),
                  "with its parameters written out the expression is longer than 10000 characters", 0},
                 options());
}

TEST(Expression, evaluation_does_not_allocate) {
  const Expression f =
      parse("if(t > 0, spline('a.csv', t) * sin(t), min(t, 1, t^2)) + table('a.csv', mod(t, 2)) / width");
  const long before = allocation_count();
  double sum = 0;
  for (double t = -2; t < 2; t += 0.1) sum += f.value(t) + f.jet(t).second;
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

/// Parses what may be rubbish; whatever is accepted must survive the round trip.
bool try_parse(const std::string& text) {
  try {
    const Expression original = parse(text);
    SCOPED_TRACE(text + "  ->  " + original.canonical());
    expect_same_function(original, parse(original.canonical()));
    return true;
  } catch (const ExpressionError& error) {
    EXPECT_LE(error.position(), text.size());
    return false;
  }
}

TEST(Expression, survives_random_bytes) {
  std::mt19937 random(20240229);
  std::uniform_int_distribution<int> length(0, 40);
  std::uniform_int_distribution<int> byte(0, 255);
  for (int i = 0; i < 2000; ++i) {
    std::string text(static_cast<std::size_t>(length(random)), ' ');
    for (char& c : text) c = static_cast<char>(byte(random));
    try_parse(text);
  }
}

TEST(Expression, survives_random_tokens) {
  const std::vector<std::string> tokens{
      "1", "0", "0.5", "t",    "t",    "t",    "pi",    "drop",       "endless", "+",    "-", "*",
      "/", "^", "**",  "<",    ">=",   "==",   " and ", " or ",       " not ",   "(",    "(", ")",
      ")", ")", ",",   "sin(", "min(", "mod(", "if(",   "table('a',", "sqrt(",   "pow(", "'"};
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> length(1, 9);
  std::uniform_int_distribution<std::size_t> pick(0, tokens.size() - 1);
  int accepted = 0;
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (std::size_t j = length(random); j > 0; --j) text += tokens[pick(random)];
    accepted += try_parse(text) ? 1 : 0;
  }
  EXPECT_GT(accepted, 1000) << "the test must also reach behind the parser";
}

TEST(NearestName, counts_edits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("widht", "width"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);
}

TEST(NearestName, finds_what_was_meant) {
  const std::vector<std::string> names{"width", "height", "radius", "Radius", "mass", "mu", "t"};
  EXPECT_EQ(nearest_name("widht", names), "width");
  EXPECT_EQ(nearest_name("WIDTH", names), "width");
  EXPECT_EQ(nearest_name("hieght", names), "height");
  EXPECT_EQ(nearest_name("Radus", names), "Radius");
  EXPECT_EQ(nearest_name("radus", names), "radius");
  EXPECT_EQ(nearest_name("m", names), "mu");
  EXPECT_EQ(nearest_name("x", names), std::nullopt);
  EXPECT_EQ(nearest_name("length", names), std::nullopt);
  EXPECT_EQ(nearest_name("", names), std::nullopt);
  EXPECT_EQ(nearest_name("width", {}), std::nullopt);
}

}  // namespace
}  // namespace percuss
