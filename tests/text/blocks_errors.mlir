// RUN: tess opt %s -split-input-file -verify-diagnostics

func.func @unknown_block() {
  // expected-error@+1 {{there is no block ^bb1 in this region}}
  cf.br ^bb1
}

// -----

func.func @another_region(%p: i1) {
  scf.if %p {
    // expected-error@+1 {{there is no block ^bb1 in this region}}
    cf.br ^bb1
  }
  cf.br ^bb1
^bb1:
  return
}

// -----

func.func @in_the_middle() {
  // expected-error@+1 {{'cf.br' op must end its block}}
  cf.br ^bb1
  cf.br ^bb1
^bb1:
  return
}

// -----

func.func @types(%a: f32) {
  // expected-error@+1 {{passes f32 to a block whose argument 0 is another type}}
  cf.br ^bb1(%a : f32)
^bb1(%x: none):
  return
}

// -----

func.func @twice() {
  cf.br ^bb1
^bb1:
  return
// expected-error@+1 {{the block ^bb1 is defined already}}
^bb1:
  return
}
