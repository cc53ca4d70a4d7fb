import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A minute or more each, the longest first: whoever begins one of them last waits for it alone. */
export const long = [
  'e2e/walk.journey.ts',
  'e2e/pages.journey.ts',
  'e2e/faults.journey.ts',
  'e2e/readme.journey.ts',
  'e2e/fields.journey.ts',
  'e2e/stop.journey.ts',
  'e2e/release.journey.ts',
  'e2e/alerts.journey.ts',
  'e2e/app.journey.ts',
  'e2e/approval.journey.ts',
  'e2e/app-life.journey.ts',
  'e2e/map.journey.ts',
  'e2e/screens.journey.ts',
  'e2e/kills.journey.ts',
  'e2e/people-settings.journey.ts',
  'e2e/people-sign-in.journey.ts',
  'e2e/console.journey.ts',
  'e2e/home.journey.ts',
  'e2e/arabic.journey.ts',
  'e2e/people-review.journey.ts',
  'e2e/groups.journey.ts',
  'e2e/selection.journey.ts',
  'e2e/palette.journey.ts',
  'e2e/active.journey.ts',
  'e2e/keys.journey.ts',
  'e2e/soft-app.journey.ts',
  'e2e/late-answers.journey.ts',
  'e2e/notice.journey.ts',
  'e2e/uploads.journey.ts',
  'e2e/two-servers.journey.ts',
  'server/src/modules/customer/fair.medium.test.ts',
  'server/test/fuzz/calls.medium.test.ts',
  'server/test/fuzz/headers.medium.test.ts',
  'server/src/modules/auth/sso/climb.medium.test.ts',
  'server/test/derived/every-call.medium.test.ts',
  'server/test/fuzz/messages.medium.test.ts',
  'server/test/derived/exports.medium.test.ts',
  'server/src/modules/device/nginx.medium.test.ts',
  'server/src/modules/device/device-offers.medium.test.ts',
  'server/test/derived/alike.medium.test.ts',
  'apk/src/fuzz.medium.test.ts',
  'server/test/derived/revisions.medium.test.ts',
];
const placeOf = ({ moduleId }: { readonly moduleId: string }): number => {
  const at = long.findIndex((path) => moduleId.replaceAll('\\', '/').endsWith(`/${path}`));
  return at === -1 ? long.length : at;
};

export const byLength = <T extends { readonly moduleId: string }>(files: readonly T[]): T[] =>
  files.toSorted((one, other) => placeOf(one) - placeOf(other));

/** A clone that has never run them doesn't know how long they take, and would go by the length of their text. The rest keeps the usual order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return byLength(await super.sort(files));
  }
}
