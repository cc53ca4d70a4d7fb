import { type DifferenceCalls, declareDifferences, differenceInputs } from '../engines/rollout/difference-calls.ts';

/** Differences to the versions of an app: `packageId` and `baseIds` name versions. */
export const appDifferenceCalls: DifferenceCalls = declareDifferences({
  domain: 'app',
  base: '/appDiff',
  can: 'app:dev:submit',
  seeing: 'app:app:page||app:dev:page',
  inputs: differenceInputs('appVersion'),
  unpublished: 'APP_NOT_LISTED',
});
