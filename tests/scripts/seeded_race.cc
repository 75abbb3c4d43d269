// Proof that the job under ThreadSanitizer can fail, and that it does so for the right reason: two threads write to one
// integer, unguarded ("race"), or under an absl::Mutex ("guarded"), which is a false race unless Abseil is instrumented.
#include <cstring>
#include <thread>

#include "absl/synchronization/mutex.h"

int main(int argc, char** argv) {
  const bool guarded = argc > 1 && std::strcmp(argv[1], "guarded") == 0;
  absl::Mutex mutex;
  int shared = 0;
  auto write = [&] {
    for (int i = 0; i < 100'000; ++i) {
      if (guarded) {
        absl::MutexLock lock(&mutex);
        ++shared;
      } else {
        ++shared;
      }
    }
  };
  std::thread first(write);
  std::thread second(write);
  first.join();
  second.join();
  return guarded && shared != 200'000 ? 1 : 0;
}
