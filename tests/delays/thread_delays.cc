// A library that is loaded before a test program, and delays some of its threads after they have woken others.
//
// A test that reads what another thread has yet to write passes on a machine at rest, and fails on a busy one. Here about
// two of seven threads sleep up to 100 ms after their first wake-ups and after a few of the later ones, so the threads that
// they woke are ahead of them. `scripts/test --delays SEED` runs tests this way. The same seed delays the same threads, in the
// order in which they first wake others.
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <random>

namespace {

// Each of a thread's first wake-ups is followed by a delay, then one in kSecondShare, and after kSecond of them one in kLastShare.
constexpr uint64_t kFirst = 30;
constexpr uint64_t kSecond = 300;
constexpr uint64_t kSecondShare = 30;
constexpr uint64_t kLastShare = 3'000;
constexpr uint64_t kMostMilliseconds = 100;

uint64_t Seed() {
  static const uint64_t seed = [] {
    const char* const text = std::getenv("LOGQUERY_DELAYS");
    return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  }();
  return seed;
}

std::atomic<uint64_t> threads{0};

// Made when the thread first wakes another.
struct ThreadState {
  std::mt19937_64 random{Seed() * 0x9E3779B97F4A7C15u + ++threads};
  bool is_late = random() % 7 < 2;
  uint64_t wakes = 0;
};
thread_local ThreadState own;

// Returns whether the thread sleeps after its present wake-up.
bool Sleeps() {
  ++own.wakes;
  if (!own.is_late) return false;
  if (own.wakes <= kFirst) return true;
  return own.random() % (own.wakes <= kSecond ? kSecondShare : kLastShare) == 0;
}

void Delay() {
  if (Seed() == 0 || !Sleeps()) return;
  const int error = errno;
  timespec time = {0, static_cast<long>(own.random() % kMostMilliseconds) * 1'000'000};
  nanosleep(&time, nullptr);
  errno = error;
}

template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

// Abseil's locks wake threads by the system call itself.
long syscall(long number, ...) noexcept {
  static auto* const next = Next<long(long, ...)>("syscall");
  va_list list;
  va_start(list, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  const long result = next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  if (number == SYS_futex && (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAKE && result > 0) Delay();
  return result;
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  static auto* const next = Next<int(pthread_cond_t*)>("pthread_cond_signal");
  const int result = next(condition);
  Delay();
  return result;
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  static auto* const next = Next<int(pthread_cond_t*)>("pthread_cond_broadcast");
  const int result = next(condition);
  Delay();
  return result;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  static auto* const next = Next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  const int result = next(thread, attributes, start, argument);
  Delay();
  return result;
}

}  // extern "C"
