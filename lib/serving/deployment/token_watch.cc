// Compares the state of the token file with the previous one.
#include "lib/serving/deployment/token_watch.h"

#include "lib/base/strings.h"
#include "logquery/authenticator.h"

namespace logquery::serving {

void TokenWatch::Look() {
  const absl::Status now = state_();
  if (now == last_) return;
  last_ = now;
  if (now.ok()) return log_("info", "the file of tokens is in order again, and its tokens count");
  const char* const then =
      absl::IsNotFound(now) ? "no token counts until there is one" : "the tokens stay as they were";
  log_("error",
       base::StrCat(
           "the file of tokens can't be taken over: ", base::Message(now), "; ", then,
           absl::IsNotFound(now)
               ? std::string()
               : base::StrCat(", and unless reading just failed for want of the machine's means none counts after ",
                              absl::ToInt64Seconds(TokenFile::kGrace), " s")));
}

}  // namespace logquery::serving
