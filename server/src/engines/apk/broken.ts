import type { PackageRule, SignatureRule } from '@mooring/contract/app/package';

/** A package that can't be read: nothing in it is believed. */
export class BrokenPackage extends Error {
  readonly rule: PackageRule;
  constructor(rule: PackageRule) {
    super(rule);
    this.name = 'BrokenPackage';
    this.rule = rule;
  }
}

/** A signature that doesn't count; the package is read all the same. */
export class WrongSignature extends Error {
  readonly rule: SignatureRule;
  readonly signers: number;
  constructor(rule: SignatureRule, signers = 1) {
    super(rule);
    this.name = 'WrongSignature';
    this.rule = rule;
    this.signers = signers;
  }
}
