#pragma once

#include <cmath>

namespace percuss {

/// A quantity with its first two derivatives with respect to time.
///
/// A jet whose derivatives are both zero counts as a constant: sqrt(max(0, t - 1)) has zero derivatives for
/// t < 1, although the square root has none at 0.
struct Jet {
  double value = 0;
  double first = 0;
  double second = 0;

  /// Time itself.
  static constexpr Jet variable(double t) { return {t, 1, 0}; }
  static constexpr Jet constant(double c) { return {c, 0, 0}; }

  constexpr bool is_constant() const { return first == 0 && second == 0; }
  constexpr bool operator==(const Jet&) const = default;
};

constexpr Jet operator+(const Jet& a) { return a; }
constexpr Jet operator-(const Jet& a) { return {-a.value, -a.first, -a.second}; }

constexpr Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}
constexpr Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}
constexpr Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2 * a.first * b.first + a.value * b.second};
}
/// From q b = a, differentiated twice.
constexpr Jet operator/(const Jet& a, const Jet& b) {
  const double q = a.value / b.value;
  const double first = (a.first - q * b.first) / b.value;
  return {q, first, (a.second - 2 * first * b.first - q * b.second) / b.value};
}

constexpr Jet operator+(const Jet& a, double b) { return {a.value + b, a.first, a.second}; }
constexpr Jet operator+(double a, const Jet& b) { return b + a; }
constexpr Jet operator-(const Jet& a, double b) { return {a.value - b, a.first, a.second}; }
constexpr Jet operator-(double a, const Jet& b) { return {a - b.value, -b.first, -b.second}; }
constexpr Jet operator*(const Jet& a, double b) { return {a.value * b, a.first * b, a.second * b}; }
constexpr Jet operator*(double a, const Jet& b) { return b * a; }
constexpr Jet operator/(const Jet& a, double b) { return {a.value / b, a.first / b, a.second / b}; }
constexpr Jet operator/(double a, const Jet& b) { return Jet::constant(a) / b; }

/// f(x) from f, f' and f'' at x.value. An infinite derivative of f times a zero derivative of x is zero, so
/// that a constant argument gives a constant.
constexpr Jet chain(const Jet& x, double f, double df, double ddf) {
  const auto scaled = [](double slope, double rate) { return rate == 0 ? 0.0 : slope * rate; };
  return {f, scaled(df, x.first), scaled(ddf, x.first * x.first) + scaled(df, x.second)};
}

inline Jet sin(const Jet& x) {
  const double s = std::sin(x.value);
  return chain(x, s, std::cos(x.value), -s);
}
inline Jet cos(const Jet& x) {
  const double c = std::cos(x.value);
  return chain(x, c, -std::sin(x.value), -c);
}
inline Jet tan(const Jet& x) {
  const double f = std::tan(x.value);
  const double df = 1 + f * f;
  return chain(x, f, df, 2 * f * df);
}
inline Jet asin(const Jet& x) {
  const double df = 1 / std::sqrt((1 - x.value) * (1 + x.value));
  return chain(x, std::asin(x.value), df, x.value * df * df * df);
}
inline Jet acos(const Jet& x) {
  const double df = -1 / std::sqrt((1 - x.value) * (1 + x.value));
  return chain(x, std::acos(x.value), df, x.value * df * df * df);
}
inline Jet atan(const Jet& x) {
  const double df = 1 / (1 + x.value * x.value);
  return chain(x, std::atan(x.value), df, -2 * x.value * df * df);
}
/// The angle of the point (x, y): its rate is (x y' - y x') / r^2.
inline Jet atan2(const Jet& y, const Jet& x) {
  const double angle = std::atan2(y.value, x.value);
  if (y.is_constant() && x.is_constant()) return Jet::constant(angle);
  const double r2 = x.value * x.value + y.value * y.value;
  const double r2_rate = 2 * (x.value * x.first + y.value * y.first);
  const double first = (x.value * y.first - y.value * x.first) / r2;
  return {angle, first, (x.value * y.second - y.value * x.second - first * r2_rate) / r2};
}

inline Jet sinh(const Jet& x) {
  const double s = std::sinh(x.value);
  return chain(x, s, std::cosh(x.value), s);
}
inline Jet cosh(const Jet& x) {
  const double c = std::cosh(x.value);
  return chain(x, c, std::sinh(x.value), c);
}
inline Jet tanh(const Jet& x) {
  const double f = std::tanh(x.value);
  const double df = 1 - f * f;
  return chain(x, f, df, -2 * f * df);
}

inline Jet exp(const Jet& x) {
  const double f = std::exp(x.value);
  return chain(x, f, f, f);
}
inline Jet log(const Jet& x) {
  const double df = 1 / x.value;
  return chain(x, std::log(x.value), df, -df * df);
}
inline Jet log10(const Jet& x) {
  const double df = 1 / (x.value * std::log(10.0));
  return chain(x, std::log10(x.value), df, -df / x.value);
}
inline Jet sqrt(const Jet& x) {
  const double f = std::sqrt(x.value);
  const double df = 0.5 / f;
  return chain(x, f, df, -0.5 * df / x.value);
}

/// At 0 the derivatives are those from the right.
inline Jet abs(const Jet& x) { return x.value < 0 ? -x : Jet{std::abs(x.value), x.first, x.second}; }

inline Jet pow(const Jet& base, const Jet& exponent) {
  const double x = base.value;
  const double p = exponent.value;
  const double f = std::pow(x, p);
  if (exponent.is_constant()) {
    // The power rule, not exp(p log x): it also holds for x <= 0. The vanishing coefficients are taken out
    // because 0 * pow(0, -1) is not a number.
    const double df = p == 0 ? 0.0 : p * std::pow(x, p - 1);
    const double ddf = p == 0 || p == 1 ? 0.0 : p * (p - 1) * std::pow(x, p - 2);
    return chain(base, f, df, ddf);
  }
  if (x == 0 && base.is_constant()) return Jet::constant(f);
  const Jet logarithm = exponent * log(base);
  return {f, f * logarithm.first, f * (logarithm.second + logarithm.first * logarithm.first)};
}
inline Jet pow(const Jet& base, double exponent) { return pow(base, Jet::constant(exponent)); }
inline Jet pow(double base, const Jet& exponent) { return pow(Jet::constant(base), exponent); }

/// Of equal values the first one is taken, as std::min and std::max do.
constexpr Jet min(const Jet& a, const Jet& b) { return b.value < a.value ? b : a; }
constexpr Jet max(const Jet& a, const Jet& b) { return a.value < b.value ? b : a; }

}  // namespace percuss
