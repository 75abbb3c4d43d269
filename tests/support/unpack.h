// Restores an answer's bytes from their packed form.
#ifndef LOGQUERY_TESTS_SUPPORT_UNPACK_H_
#define LOGQUERY_TESTS_SUPPORT_UNPACK_H_

#include <string>
#include <string_view>

#include "logquery/content_coding.h"

namespace logquery::testing {

// Throws std::runtime_error where `packed` is not whole, or has anything behind it.
std::string Unpack(std::string_view packed, ContentCoding coding);

}  // namespace logquery::testing

#endif  // LOGQUERY_TESTS_SUPPORT_UNPACK_H_
