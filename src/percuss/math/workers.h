#pragma once

#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

namespace percuss {

/// Threads that wait for work. Which thread does what must not change a result: that is up to the work.
class Workers {
 public:
  explicit Workers(int threads);  ///< the calling thread is one of them
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int count() const { return static_cast<int>(others_.size()) + 1; }
  /// Calls work(t) once for each t below count(), at the same time, and returns when all are done. Allocates
  /// nothing. The work must not throw.
  template <class Work>
  void run(Work&& work) {
    start([](void* w, int thread) { (*static_cast<std::remove_reference_t<Work>*>(w))(thread); }, &work);
  }

 private:
  using Call = void (*)(void* work, int thread);
  void start(Call call, void* work);
  void wait_for_work(int thread);

  std::vector<std::thread> others_;
  std::atomic<unsigned> round_ = 0;
  std::atomic<int> busy_ = 0;
  bool ends_ = false;
  Call call_ = nullptr;
  void* work_ = nullptr;
};

}  // namespace percuss
