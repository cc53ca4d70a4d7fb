import { softAppKind } from '@mooring/contract/app/app-kind';
import { androidParamKind } from '@mooring/contract/paramfile/android-kind';
import { expect, test } from 'vitest';
import { typeOfKind } from './kinds.ts';

test('parameters that travel along with an app are no way round an approval: who asks for one of parameters asks for one of apps', () => {
  expect(typeOfKind(androidParamKind.kind) !== undefined && typeOfKind(softAppKind.kind) === undefined).toBe(false);
});
