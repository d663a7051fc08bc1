#include "percuss/math/workers.h"

namespace percuss {

Workers::Workers(int threads) {
  for (int thread = 1; thread < threads; ++thread)
    others_.emplace_back([this, thread] { wait_for_work(thread); });
}

Workers::~Workers() {
  ends_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& other : others_) other.join();
}

void Workers::start(Call call, void* work) {
  call_ = call;
  work_ = work;
  busy_ = static_cast<int>(others_.size());
  ++round_;  // what was written before is seen by those who see this
  round_.notify_all();
  call(work, 0);
  for (int busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
}

void Workers::wait_for_work(int thread) {
  for (unsigned seen = 0;;) {
    round_.wait(seen);
    seen = round_;
    if (ends_) return;
    call_(work_, thread);
    if (--busy_ == 0) busy_.notify_one();
  }
}

}  // namespace percuss
