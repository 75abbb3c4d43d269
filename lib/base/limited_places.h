// Limits how many may do something at one time that keeps a thread waiting, such as receive a body that arrives slowly.
//
//     LimitedPlaces slow_bodies(64);
//     LimitedPlaces::Place place(&slow_bodies);
//     if (is_slow && !place.Take()) return TooManySlowOnes();
#ifndef LOGQUERY_LIB_BASE_LIMITED_PLACES_H_
#define LOGQUERY_LIB_BASE_LIMITED_PLACES_H_

#include <atomic>

namespace logquery::base {

// Thread-safe.
class LimitedPlaces {
 public:
  explicit LimitedPlaces(int max) : max_(max) {}

  // A place among them, from Take on and for as long as it lives. For one thread.
  class Place {
   public:
    explicit Place(LimitedPlaces* all) : all_(all) {}
    ~Place() {
      if (taken_) --all_->count_;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // Returns false if all places are taken. Idempotent.
    bool Take() {
      if (taken_) return true;
      if (++all_->count_ > all_->max_) {
        --all_->count_;
        return false;
      }
      taken_ = true;
      return true;
    }

   private:
    LimitedPlaces* const all_;
    bool taken_ = false;
  };

 private:
  const int max_;
  std::atomic<int> count_{0};
};

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_LIMITED_PLACES_H_
