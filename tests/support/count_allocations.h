#pragma once

/// Number of calls of operator new in this program so far. Link count_allocations.cpp.
long allocation_count();
