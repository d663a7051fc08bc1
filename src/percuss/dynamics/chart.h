#pragma once

#include <vector>

#include "percuss/dynamics/system.h"

/// Configurations near a given one as plain numbers, for methods that add them up.
/// docs/theory/event_driven.md (EV-6)
namespace percuss {

/// One number for each coordinate: its change, or the rotation vector of a body. Besides six for each
/// floating frame, its displacement in space and its rotation as a Cayley vector: frames move in more ways
/// than their coordinates alone can say (FF-15).
int chart_size(const System& system);
/// Where the numbers of the k-th frame begin.
int frame_begin(const System& system, size_t k);
/// For each number whether it is a rotation [rad]; the others are lengths.
std::vector<char> chart_rotations(const System& system);

/// q = `from` moved by x.
void move_by_chart(const System& system, const VectorX& from, const VectorX& x, VectorX& q);

/// How fast x changes where q, which is `from` moved by x, moves with v.
void chart_rate(const System& system, const VectorX& q, const VectorX& x, const VectorX& v, VectorX& rate);

/// The largest rotation in x [rad; of frames 2 tan(angle/2)].
double largest_rotation(const System& system, const VectorX& x);

}  // namespace percuss
