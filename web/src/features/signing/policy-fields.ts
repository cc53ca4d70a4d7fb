import type { FieldSpec } from '../../kit/form/types.ts';

/** What a key may be used for: of a new one, and of one that is there. */
export const policyFields = (useChoices: NonNullable<FieldSpec['useChoices']>) =>
  [
    { name: 'packageNames', label: 'signingKey.packageNames', help: 'signingKey.packageNames.help', kind: 'tags', wide: true },
    { name: 'productIds', label: 'signingKey.productIds', help: 'signingKey.productIds.help', kind: 'multi', useChoices, wide: true },
    { name: 'profiles', label: 'signingKey.profiles', help: 'signingKey.profiles.help', kind: 'multi', names: 'signingKey.profiles.' },
    { name: 'mostUses', label: 'signingKey.mostUses' },
    { name: 'hourFrom', label: 'signingKey.hourFrom' },
    { name: 'hourTo', label: 'signingKey.hourTo' },
  ] as const satisfies readonly FieldSpec[];
