// The command itself: what it says about itself, and its exit status.

// REQUIRES: hlo
// RUN: tess --version | FileCheck %s --check-prefix=VERSION
// VERSION: tessera {{[0-9]+\.[0-9]+\.[0-9]+}}
// VERSION-NEXT: zlib

// RUN: tess --help | FileCheck %s --check-prefix=HELP
// HELP: usage: tess COMMAND
// HELP: hlo {{.*}}shape

// RUN: tess help hlo | FileCheck %s --check-prefix=HLO
// RUN: tess hlo --help | FileCheck %s --check-prefix=HLO
// HLO: usage: tess hlo
// HLO: options:
// HLO: --json
// HLO: examples:
// HLO: exit status:
// HLO-NEXT: 0    done
// HLO-NEXT: 1    the HLO or the shape is wrong
// HLO-NEXT: 2    the command line is wrong
// HLO-NEXT: 130  ended by Ctrl-C

// RUN: (tess; echo status $?) 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: usage: tess COMMAND
// NONE: status 2

// RUN: (tess shrad; echo status $?) 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: there is no command 'shrad'; did you mean 'shard'?
// UNKNOWN: status 2

// RUN: (tess hlo --shaep x; echo status $?) 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: tess hlo: unknown option --shaep; did you mean --shape?
// OPTION: status 2

// RUN: (tess hlo --shape; echo status $?) 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: --shape needs a value
// VALUE: status 2

// RUN: (tess hlo; echo status $?) 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: a FILE is missing, or --shape
// MISSING: status 2

// RUN: (tess hlo --shape 'f32['; echo status $?) 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: 1:5: error[E0800]
// WRONG: status 1

// RUN: (tess help shrad; echo status $?) 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: (tess opt %s --pass-pipeline; echo status $?) 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: tess opt: --pass-pipeline needs a value
// PIPELINE: status 2

// What cannot be written is not done.
// RUN: (tess --version >/dev/full; echo status $?) 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: (tess help opt >/dev/full; echo status $?) 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: (tess opt --list-passes >/dev/full; echo status $?) 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: (tess shard %s >/dev/full; echo status $?) 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: standard output: No space left on device
// FULL-NOT: No space
// FULL: status 1

// RUN: %python %S/Inputs/npz.py %t.npz in0=f4:0,1
// RUN: (tess eval %S/verify_expected.mlir --inputs %t.npz --outputs /dev/full; echo status $?) 2>&1 | FileCheck %s --check-prefix=FULL-FILE
// FULL-FILE: error[E0001]: /dev/full: No space left on device
// FULL-FILE: status 1

// A pipe whose reader has enough is not a failure, where the signal is ignored, either.
// RUN: (trap '' PIPE; (sleep 0.2; tess shard %s; echo status $? >&2) | (exec <&-; sleep 0.5)) 2>&1 | FileCheck %s --check-prefix=EARLY --implicit-check-not='Broken pipe'
// EARLY: status 0

// Nothing to read from:
// RUN: (tess shard - <&-; echo status $?) 2>&1 | FileCheck %s --check-prefix=CLOSED
// CLOSED: error[E0001]: -: Bad file descriptor
// CLOSED: status 1

// What has no end is not read to it.
// RUN: (tess shard /dev/zero; echo status $?) 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: (tess report %s --target /dev/zero; echo status $?) 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: (tess hlo - </dev/zero; echo status $?) 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: File too large
// ENDLESS: status 1

// What editors add is not part of the program.
// RUN: (printf '\357\273\277'; sed 's/$/\r/' %S/Inputs/diff_later.mlir) > %t.mlir; tess shard %t.mlir

// RUN: tess --help=commands | FileCheck %s --check-prefix=COMMANDS
// COMMANDS: report{{	}}report memory, collectives
// RUN: tess report --help=options | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: --html{{	}}
// RUN: tess report --help=man | FileCheck %s --check-prefix=MAN
// RUN: tess --help=man | FileCheck %s --check-prefix=MAN-ALL
// MAN: .TH TESS\-REPORT 1
// MAN: .SH OPTIONS
// MAN: .BR \-\-target
// MAN-ALL: .BR tess\-verify (1)
// RUN: (tess report --help=html; echo status $?) 2>&1 | FileCheck %s --check-prefix=HELP-WHAT
// HELP-WHAT: expected man or options
// HELP-WHAT: status 2

// RUN: (tess opt %s -sdy-propagation-pipelin; echo status $?) 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: tess opt: unknown option -sdy-propagation-pipelin; did you mean -sdy-propagation-pipeline?
// PASS: status 2
// RUN: (tess lint %s --large -1; echo status $?) 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: --large -1: expected bytes, as in 500kB, 72GB or 64GiB
// COUNT: status 2
// RUN: (tess opt %s -o; echo status $?) 2>&1 | FileCheck %s --check-prefix=DASH
// DASH: tess opt: -o needs a value
// DASH: status 2

// What would be passed over is refused.
// RUN: (tess shard %s --arg '0='; echo status $?) 2>&1 | FileCheck %s --check-prefix=NO-SHARDING
// RUN: (tess shard %s --result 'x=[]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=NO-SHARDING
// NO-SHARDING: expected a number, '=' and a sharding
// NO-SHARDING: status 2
// RUN: (tess hlo %S/../hlo/convert.hlo --json; echo status $?) 2>&1 | FileCheck %s --check-prefix=HLO-JSON
// HLO-JSON: --json needs --shape or --stats
// HLO-JSON: status 2
// RUN: (tess hlo %S/../hlo/convert.hlo --shape 'f32[2]'; echo status $?) 2>&1 | FileCheck %s --check-prefix=HLO-SHAPE
// HLO-SHAPE: --shape excludes FILE and --stats
// HLO-SHAPE: status 2
// RUN: (tess lint %s --json --sarif; echo status $?) 2>&1 | FileCheck %s --check-prefix=LINT
// LINT: --json or --sarif, not both
// LINT: status 2
// RUN: (tess report %s --json --html -; echo status $?) 2>&1 | FileCheck %s --check-prefix=PAGE
// PAGE: --html - and --json both write to standard output
// PAGE: status 2
// RUN: tess report %S/report.mlir --html - | FileCheck %s --check-prefix=PAGE-ALONE --implicit-check-not='memory of one device'
// PAGE-ALONE: <!doctype html>
// RUN: (tess convert --to-hlo --texts %s; echo status $?) 2>&1 | FileCheck %s --check-prefix=TEXTS
// TEXTS: --to hlo excludes --texts and --mlir-print-debuginfo
// TEXTS: status 2
// RUN: (tess eval %s --threads 4097; echo status $?) 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: --threads 4097: expected a number from 0 to 4096
// THREADS: status 2
