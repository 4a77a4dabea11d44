// RUN: tess opt %s -split-input-file -verify-diagnostics
// interpreter.run_parallel: which functions the devices of a grid run, and what they take and give.

module {
  func.func @feed() -> tensor<2xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @work(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
  func.func @fine(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %0:2 = "interpreter.run_parallel"(%a, %a) <{programs = [[@work], [@work]], infeed = [@feed]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
  }
}

// -----

func.func @no_programs() {
  // expected-error@+1 {{must be a list of lists of functions, not empty}}
  "interpreter.run_parallel"() <{programs = []}> : () -> ()
  return
}

// -----

func.func @empty_replica() {
  // expected-error@+1 {{must be a list of lists of functions, not empty}}
  "interpreter.run_parallel"() <{programs = [[]]}> : () -> ()
  return
}

// -----

module {
  func.func @work() {
    return
  }
  func.func @uneven() {
    // expected-error@+1 {{has replicas of different sizes}}
    "interpreter.run_parallel"() <{programs = [[@work, @work], [@work]]}> : () -> ()
    return
  }
}

// -----

func.func @unknown() {
  // expected-error@+1 {{runs work, which is not a function}}
  "interpreter.run_parallel"() <{programs = [[@work]]}> : () -> ()
  return
}

// -----

func.func @not_a_name() {
  // expected-error@+1 {{runs something, which is not a function}}
  "interpreter.run_parallel"() <{programs = [[1 : i32]]}> : () -> ()
  return
}

// -----

module {
  func.func @work(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
  func.func @operands(%a: tensor<2xf32>) {
    // expected-error@+1 {{has 1 operands, but its programs take 2}}
    %0:2 = "interpreter.run_parallel"(%a) <{programs = [[@work], [@work]]}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    return
  }
}

// -----

module {
  func.func @work(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
  func.func @results(%a: tensor<2xf32>) {
    // expected-error@+1 {{has 1 results, but its programs give 2}}
    %0 = "interpreter.run_parallel"(%a, %a) <{programs = [[@work], [@work]]}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return
  }
}

// -----

module {
  func.func @work() {
    return
  }
  func.func @empty_infeed() {
    // expected-error@+1 {{must be a list of functions, not empty}}
    "interpreter.run_parallel"() <{programs = [[@work]], infeed = []}> : () -> ()
    return
  }
}

// -----

module {
  func.func @work() {
    return
  }
  func.func @infeed_of_nothing() {
    // expected-error@+1 {{attribute 'infeed' names a function that does not return one tensor}}
    "interpreter.run_parallel"() <{programs = [[@work]], infeed = [@work]}> : () -> ()
    return
  }
}

// -----

module {
  func.func @work() {
    return
  }
  func.func @unknown_infeed() {
    // expected-error@+1 {{runs feed, which is not a function}}
    "interpreter.run_parallel"() <{programs = [[@work]], infeed = [@feed]}> : () -> ()
    return
  }
}
