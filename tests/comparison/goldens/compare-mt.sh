#!/bin/sh
# Makes compare-mt.out anew: pip install compare-mt==0.2.10 six, and run it in this folder.
# PYTHONHASHSEED fixes the order of n-grams that compare-mt holds equal.
PYTHONHASHSEED=0 compare-mt reference.txt system-a.txt system-b.txt --decimals 10 \
  --compare_scores score_type=bleu \
  --compare_word_accuracies bucket_type=freq,acc_type=fmeas+prec+rec \
    "bucket_type=label,acc_type=fmeas+prec+rec,ref_labels=reference.labels,out_labels=system-a.labels;system-b.labels,label_set=DET+NOUN+PUNCT+NAME+VERB+ADJ+CONJ+ADP+NUM+ADV" \
  --compare_sentence_buckets bucket_type=length,statistic_type=score,score_measure=bleu \
    bucket_type=lengthdiff bucket_type=score,score_measure=sentbleu \
    bucket_type=lengthdiff,statistic_type=score,score_measure=bleu \
  --compare_ngrams compare_type=match,report_length=40 \
  --compare_sentence_examples score_type=sentbleu,report_length=10 \
  > compare-mt.out
