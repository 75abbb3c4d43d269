// How an answer's bytes are compressed: the HTTP content codings (RFC 9110, section 8.4.1) that logquery supports.
#ifndef LOGQUERY_CONTENT_CODING_H_
#define LOGQUERY_CONTENT_CODING_H_

#include <string_view>

namespace logquery {

enum class ContentCoding {
  kIdentity,  // not compressed
  kGzip,      // RFC 1952
  kZstd,      // RFC 8878
};

// Returns the coding's name as in Content-Encoding: "identity", "gzip", "zstd".
inline std::string_view ContentCodingName(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::kIdentity:
      break;
    case ContentCoding::kGzip:
      return "gzip";
    case ContentCoding::kZstd:
      return "zstd";
  }
  return "identity";
}

}  // namespace logquery

#endif  // LOGQUERY_CONTENT_CODING_H_
