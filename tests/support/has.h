// A check that a text contains another, for messages.
#ifndef LOGQUERY_TESTS_SUPPORT_HAS_H_
#define LOGQUERY_TESTS_SUPPORT_HAS_H_

#include <string_view>

namespace logquery::testing {

inline bool Has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_HAS_H_
