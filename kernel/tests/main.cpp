// Runs the kernel's tests; a check that fails prints its line and ends the program.
#include <cstdio>

namespace bleuet {
void test_bleu();
void test_chrf();
void test_comparison();
void test_eed();
void test_gleu();
void test_line_search();
void test_lines();
void test_mean_ngrams();
void test_meteor();
void test_nist();
void test_pairs();
void test_resampling();
void test_ribes();
void test_rouge();
void test_segment_cuts();
void test_self_rows();
void test_ter();
void test_wer();
}  // namespace bleuet

int main() {
  bleuet::test_bleu();
  bleuet::test_chrf();
  bleuet::test_comparison();
  bleuet::test_eed();
  bleuet::test_gleu();
  bleuet::test_line_search();
  bleuet::test_lines();
  bleuet::test_mean_ngrams();
  bleuet::test_meteor();
  bleuet::test_nist();
  bleuet::test_pairs();
  bleuet::test_resampling();
  bleuet::test_ribes();
  bleuet::test_rouge();
  bleuet::test_segment_cuts();
  bleuet::test_self_rows();
  bleuet::test_ter();
  bleuet::test_wer();
  std::puts("kernel tests passed");
}
