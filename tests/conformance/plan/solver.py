#!/usr/bin/env python3
"""Compares the planner's solver with HiGHS on the models of programs.

    solver.py BUILD FILE... [--mesh data=64,model=8] [--target h100x8] [--lambda 1e-12]

BUILD is a build folder of this tree with tests/model_graph.  Needs numpy, scipy and highspy.
For each program, the linear relaxation of its model is solved.  Its optimum is a lower bound of every choice;
if it is integral, it is the optimum.  Otherwise HiGHS solves the integer program.  The solver's energy may
exceed the optimum by 1e-4 of it, and its bound may never exceed it.  The exit status is 1 if one does."""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import highspy
import numpy as np
from scipy.sparse import coo_matrix

NEVER = 1e6
TOLERANCE = 1e-4


class Graph:
    def __init__(self, path):
        self.data, self.at = open(path, "rb").read(), 0
        n, n_edges = self.ints(2)
        self.own = [self.doubles(self.ints(1)[0]) for _ in range(n)]
        self.edges = []
        for _ in range(n_edges):
            a, b, rows, cols = self.ints(4)
            row, col = self.ints(len(self.own[a])), self.ints(len(self.own[b]))
            self.edges.append((a, b, row, col, self.doubles(rows * cols).reshape(rows, cols)))

    def ints(self, n):
        self.at += 4 * n
        return np.frombuffer(self.data, np.int32, n, self.at - 4 * n)

    def doubles(self, n):
        self.at += 8 * n
        return np.frombuffer(self.data, np.float64, n, self.at - 8 * n)


def relaxation(graph):
    """Costs, the matrix and right sides of equations, and how many variables are states of nodes.

    Pairs of rows and columns have a variable each; those of one row are together as much as the states
    that have the row.  What must not be has none."""
    first = np.cumsum([0] + [len(own) for own in graph.own])
    cost, n = [np.concatenate(graph.own)], int(first[-1])
    rows, cols, values, right = [], [], [], []

    def equation(variables, signs, total):
        rows.append(np.full(len(variables), len(right)))
        cols.append(np.asarray(variables))
        values.append(np.asarray(signs, float))
        right.append(total)

    for i, own in enumerate(graph.own):
        equation(np.arange(first[i], first[i + 1]), np.ones(len(own)), 1)
    for a, b, row, col, table in graph.edges:
        allowed = table < NEVER
        number = np.full(table.shape, -1)
        number[allowed] = n + np.arange(allowed.sum())
        n += int(allowed.sum())
        cost.append(table[allowed])
        for side, of, numbers in ((a, row, number), (b, col, number.T)):
            for r in range(numbers.shape[0]):
                pairs = numbers[r][numbers[r] >= 0]
                states = first[side] + np.flatnonzero(of == r)
                signs = np.concatenate([np.ones(len(pairs)), -np.ones(len(states))])
                equation(np.concatenate([pairs, states]), signs, 0)
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(cols)))
    matrix = coo_matrix(entries, shape=(len(right), n)).tocsr()
    return np.concatenate(cost), matrix, np.array(right, float), int(first[-1])


def highs_model(cost, matrix, right, n_states, integral):
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(cost), len(right)
    lp.col_cost_ = cost
    lp.col_lower_, lp.col_upper_ = np.zeros(len(cost)), np.ones(len(cost))
    lp.row_lower_, lp.row_upper_ = right, right
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = matrix.indptr, matrix.indices
    lp.a_matrix_.value_ = matrix.data
    if integral:
        kinds = [highspy.HighsVarType.kInteger] * n_states
        lp.integrality_ = kinds + [highspy.HighsVarType.kContinuous] * (len(cost) - n_states)
    return lp


def optimum(graph, seconds):
    """The least cost, None if it was not found in time; and whether the relaxation was integral."""
    cost, matrix, right, n_states = relaxation(graph)
    scale = 1 / max(1e-12, float(np.median(cost[cost > 0]))) if (cost > 0).any() else 1
    for integral in (False, True):
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("time_limit", seconds)
        solver.setOptionValue("mip_rel_gap", TOLERANCE / 10)
        solver.passModel(highs_model(cost * scale, matrix, right, n_states, integral))
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None, integral
        x = np.array(solver.getSolution().col_value[:n_states])
        if integral or np.all((x < 1e-6) | (x > 1 - 1e-6)):
            return solver.getObjectiveValue() / scale, not integral
    return None, False


def check(tool, path, args, folder):
    graph_file = os.path.join(folder, "graph")
    command = [tool, path, args.mesh, args.target, args.price, graph_file]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    energy, bound, sweeps, cpu = float(out[0]), float(out[1]), int(out[2]), float(out[3])
    start = time.time()
    best, integral = optimum(Graph(graph_file), args.seconds)
    name = os.path.basename(path).split(".")[0]
    text = f"{name:24} energy {energy:.9g} bound {bound:.9g} ({sweeps} sweeps, {cpu * 1e3:.0f} ms)"
    if best is None:
        print(f"{text}; HiGHS has no optimum after {time.time() - start:.0f} s")
        return True
    good = energy <= best * (1 + TOLERANCE) and bound <= best * (1 + 1e-6)
    kind = "relaxation" if integral else "integer program"
    print(f"{text}; HiGHS {best:.9g} ({kind}, {time.time() - start:.1f} s)"
          f" {'equal' if good else 'DIFFERENT'}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--mesh", default="data=64,model=8")
    parser.add_argument("--target", default="h100x8")
    parser.add_argument("--lambda", dest="price", default="1e-12")
    parser.add_argument("--seconds", type=float, default=300.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tool = os.path.join(args.build, "tests", "model_graph")
        results = [check(tool, path, args, folder) for path in args.files]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
