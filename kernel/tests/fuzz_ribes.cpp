// Fuzz target: the RIBES counter on any text, with every tokenizer, against what must hold of it.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "ngrams/ribes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bleuet;
  if (size < 3) return 0;
  constexpr Tokenizer kTokenizers[] = {Tokenizer::none, Tokenizer::v13a, Tokenizer::mteval_v13a,
                                       Tokenizer::character};
  RibesCounter::Options options;
  options.left_first = data[0] % 2 == 0;
  options.tokenizer = kTokenizers[data[1] % 4];
  const std::size_t n = size - 3;
  const std::size_t split = data[2] % (n + 1);
  // One byte per character, so that any bytes are text.
  const Text hypothesis{data + 3, split, 1, false};
  const Text reference{data + 3 + split, n - split, 1, false};
  RibesCounter counter(options);
  std::vector<RibesCounter::Reference> references(2);
  counter.prepare(reference, references[0]);
  counter.prepare(hypothesis, references[1]);
  RibesCounter::trim(references[1]);
  std::int64_t segments = 0;
  double one[4], both[4];
  counter.count(hypothesis, references.data(), 1, &segments, one);
  counter.count(hypothesis, references.data(), 2, &segments, both);
  check(segments == 1, "one segment");
  for (const double value : one) check(value >= 0 && value <= 1, "a share");
  check(one[0] <= one[1] && both[0] >= one[0], "a second reference does not lower RIBES");
  counter.count(hypothesis, references.data() + 1, 1, &segments, both);
  check(both[3] == (references[1].tokens.size() == 0 ? 0 : 1), "a text is as long as itself");
  return 0;
}
