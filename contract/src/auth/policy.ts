import { z } from 'zod';
import { Cidr } from '../shared/cidr.ts';

/** How people of a product line sign in (design 5, "People"). */
export const LoginPolicy = z.strictObject({
  preset: z.enum(['spec', 'pci', 'custom']),
  /** Failures of an account, or of one address at an account, before it has to wait. */
  maxTries: z.int().min(3).max(100),
  lockMinutes: z.int().min(1).max(1440),
  captchaAfter: z.int().min(0).max(100),
  idleMinutes: z.int().min(5).max(43_200),
  totalMinutes: z.int().min(15).max(129_600),
  /** Open sessions of a person; the oldest gives way. 0: as many as they like. */
  sessionsPerPerson: z.int().min(0).max(1000),
  /** Networks from which people may come; empty means any. */
  addresses: z.array(Cidr).max(100),
  mfa: z.enum(['off', 'optional', 'required']),
  /** Whether a one-time code signs in, and how it may go. */
  codes: z.enum(['off', 'email', 'emailAndText']),
});
export type LoginPolicy = z.infer<typeof LoginPolicy>;

/** Password policy of specification section 3, as a form needs it. */
export const PasswordPolicy = z.object({
  passwordMinLength: z.int(),
  passwordMaxLength: z.int(),
  charTypeMin: z.int(),
  sameCharLimit: z.int(),
  remainValidPeriod: z.int(),
});
export type PasswordPolicy = z.infer<typeof PasswordPolicy>;

export const PasswordPolicyEdit = z
  .strictObject({
    preset: z.enum(['spec', 'pci', 'asvs', 'custom']),
    passwordMinLength: z.int().min(6).max(64),
    passwordMaxLength: z.int().min(8).max(128),
    charTypeMin: z.int().min(1).max(4),
    sameCharLimit: z.int().min(0).max(20),
    /** Days; 0: for ever. */
    remainValidPeriod: z.int().min(0).max(3650),
    /** Whether a password also runs out for those who use a second factor. */
    expiresWithMfa: z.boolean(),
    /** How many of the last passwords are not taken again. */
    history: z.int().min(0).max(24),
  })
  .refine((policy) => policy.passwordMinLength <= policy.passwordMaxLength, { error: 'invalid.minAboveMax', path: ['passwordMaxLength'] });
export type PasswordPolicyEdit = z.infer<typeof PasswordPolicyEdit>;

export const loginPresets: Readonly<Record<'spec' | 'pci', LoginPolicy>> = {
  spec: {
    preset: 'spec',
    maxTries: 10,
    lockMinutes: 15,
    captchaAfter: 3,
    idleMinutes: 720,
    totalMinutes: 10_080,
    sessionsPerPerson: 20,
    addresses: [],
    mfa: 'optional',
    codes: 'emailAndText',
  },
  pci: {
    preset: 'pci',
    maxTries: 10,
    lockMinutes: 30,
    captchaAfter: 3,
    idleMinutes: 15,
    totalMinutes: 720,
    sessionsPerPerson: 3,
    addresses: [],
    mfa: 'required',
    codes: 'off',
  },
};

export const passwordPresets: Readonly<Record<'spec' | 'pci' | 'asvs', PasswordPolicyEdit>> = {
  spec: {
    preset: 'spec',
    passwordMinLength: 8,
    passwordMaxLength: 16,
    charTypeMin: 2,
    sameCharLimit: 0,
    remainValidPeriod: 0,
    expiresWithMfa: true,
    history: 0,
  },
  pci: {
    preset: 'pci',
    passwordMinLength: 12,
    passwordMaxLength: 64,
    // Digits and letters both (PCI DSS 8.3.6): only all four kinds make sure of them.
    charTypeMin: 4,
    sameCharLimit: 0,
    remainValidPeriod: 90,
    expiresWithMfa: false,
    history: 4,
  },
  asvs: {
    preset: 'asvs',
    passwordMinLength: 15,
    passwordMaxLength: 128,
    charTypeMin: 1,
    sameCharLimit: 0,
    remainValidPeriod: 0,
    expiresWithMfa: true,
    history: 0,
  },
};
