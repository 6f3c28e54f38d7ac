// Fuzz target: the ROUGE counter on any text, with every tokenizer, against what must hold of it.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "ngrams/rouge.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bleuet;
  if (size < 3) return 0;
  constexpr Tokenizer kTokenizers[] = {Tokenizer::ascii_words, Tokenizer::ascii_stems,
                                       Tokenizer::unicode_words, Tokenizer::none};
  RougeCounter::Options options;
  options.unit = static_cast<RougeCounter::Unit>(data[0] % 3);
  options.order = 1 + data[0] / 3 % 9;
  options.tokenizer = kTokenizers[data[1] % 4];
  const std::size_t n = size - 3;
  const std::size_t split = data[2] % (n + 1);
  // One byte per character, so that any bytes are text.
  const Text hypothesis{data + 3, split, 1, false};
  const Text reference{data + 3 + split, n - split, 1, false};
  RougeCounter counter(options);
  std::vector<RougeCounter::Reference> references(2);
  counter.prepare(reference, references[0]);
  counter.prepare(hypothesis, references[1]);
  RougeCounter::trim(references[1]);
  std::int64_t segments = 0;
  double one[3], both[3];
  counter.count(hypothesis, references.data(), 1, &segments, one);
  counter.count(hypothesis, references.data(), 2, &segments, both);
  check(segments == 1, "one segment");
  for (const double value : one) check(value >= 0 && value <= 1, "a share");
  check(both[2] >= one[2], "a second reference does not lower F");
  check(both[2] == 0 || both[2] == 1, "a text has all of itself");
  return 0;
}
