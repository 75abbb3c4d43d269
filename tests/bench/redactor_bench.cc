// Redaction of text in which there is nothing to redact, which is most of all text: bytes a second of one thread, beside the
// floors that nothing can go below: memchr, which looks at each byte, and memcpy, which also writes it.
//
//     logquery_bench_redactor [--megabytes N] [--repeat N]
//
// Texts are as logs have them: paths, times, JSON, versions. Each text has about 120 bytes; a line's figure is the best of
// all repeats, as anything slower was the machine.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "logquery/redactor.h"

namespace logquery {
namespace {

struct Options {
  size_t megabytes = 64;
  int repeat = 9;
};

constexpr const char* kTexts[] = {
    "GET /rest/v1/todos?select=id,title,done&order=created_at.desc&limit=50 200 for project with 3 retries left over",
    R"({"level":"info","time":"2026-03-04T05:06:07Z","msg":"request completed","duration":1234567,"status":"ok"})",
    "connection authorized: user=authenticator database=postgres application_name=PostgREST 12.2.3 SSL enabled "
    "(TLSv1.3)",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0 by way of a proxy of version 3.11.2 at "
    "most",
    "checkpoint complete: wrote 125 buffers (0.8%); 0 WAL file(s) added; write=12.482 s, sync=0.003 s, total=12.497 s",
    "Listening on http://localhost:9999/ with the worker threads std::thread of the pool, shutdown at 12:30:45 or "
    "later",
};

std::vector<std::string> MakeTexts(size_t megabytes) {
  std::vector<std::string> texts;
  size_t bytes = 0;
  for (size_t i = 0; bytes < megabytes << 20; ++i) bytes += texts.emplace_back(kTexts[i % std::size(kTexts)]).size();
  return texts;
}

// Megabytes a second of the best run. `run` gives a number, so that nothing of it can be left out.
double Best(const std::vector<std::string>& texts, int repeat, const std::function<size_t(const std::string&)>& run) {
  size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  double best = 0;
  size_t sum = 0;
  for (int i = 0; i < repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& text : texts) sum += run(text);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    best = std::max(best, static_cast<double>(bytes) / time.count() / 1e6);
  }
  if (sum == 1) std::puts("");
  return best;
}

Redactor Need(const RedactionKinds& kinds) {
  auto redactor = Redactor::Create(kinds);
  if (!redactor.ok()) std::exit(1);
  return *std::move(redactor);
}

int Run(const Options& options) {
  const std::vector<std::string> texts = MakeTexts(options.megabytes);
  std::vector<char> copy(4'096);
  const double memchr_floor = Best(texts, options.repeat, [](const std::string& text) {
    return static_cast<size_t>(std::memchr(text.data(), '\x01', text.size()) != nullptr);
  });
  const double memcpy_floor = Best(texts, options.repeat, [&](const std::string& text) {
    std::memcpy(copy.data(), text.data(), text.size());
    return static_cast<size_t>(copy[text.size() / 2]);
  });
  const auto line = [&](const char* name, double rate) {
    std::printf("%-34s %8.0f MB/s   memchr/this %5.1f   memcpy/this %5.1f\n", name, rate, memchr_floor / rate,
                memcpy_floor / rate);
  };
  line("memchr", memchr_floor);
  line("memcpy", memcpy_floor);
  const std::pair<const char*, RedactionKinds> cases[] = {
      {"addresses", {}},
      {"addresses, e-mail", {true, {}}},
      {"addresses, e-mail, one pattern", {true, {"\\bcus_[A-Za-z0-9]+"}}},
  };
  for (const auto& [name, kinds] : cases) {
    const Redactor redactor = Need(kinds);
    line(name, Best(texts, options.repeat,
                    [&](const std::string& text) { return static_cast<size_t>(redactor.Matches(text)); }));
  }
  return 0;
}

int Main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const long value = std::strtol(argv[i + 1], nullptr, 10);
    if (value < 1 || (name != "--megabytes" && name != "--repeat")) {
      std::fprintf(stderr, "logquery_bench_redactor [--megabytes N] [--repeat N]\n");
      return 2;
    }
    if (name == "--megabytes") options.megabytes = static_cast<size_t>(value);
    if (name == "--repeat") options.repeat = static_cast<int>(value);
  }
  return Run(options);
}

}  // namespace
}  // namespace logquery

int main(int argc, char** argv) { return logquery::Main(argc, argv); }
