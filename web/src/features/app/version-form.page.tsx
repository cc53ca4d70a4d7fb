import { appVersionCalls } from '@mooring/contract/app/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { formPage } from '../../kit/form/form-page.tsx';
import { ListingControl } from './listing-control.tsx';
import { versionPath } from './paths.ts';
import { ScreenshotsControl } from './screenshots-control.tsx';

type Row = OutputOf<typeof appVersionCalls.detail>;

/** What its row stands for in the form. */
const valuesOf = ({ listing, screenshots, channel, scope, products, depts, sns }: Row) => ({
  listing,
  screenshots,
  channel,
  scope,
  productIds: products.map(({ id }) => id),
  deptIds: depts.map(({ id }) => id),
  sns,
});

/** What is said of a version, and for whom it is. */
export const versionForm = formPage({
  title: 'appVersion.edit',
  call: appVersionCalls.update,
  submit: 'appVersion.edit',
  successText: 'appVersion.edit.changed',
  edit: {
    title: 'appVersion.edit',
    load: appVersionCalls.detail,
    call: appVersionCalls.update,
    successText: 'appVersion.edit.changed',
    allowedAction: 'update',
    values: valuesOf as never,
    cancel: (id) => versionPath({ id }),
  },
  sections: [
    {
      title: 'appVersion.section.listing',
      fields: [{ name: 'listing', label: 'appVersion.listing', Control: ListingControl, wide: true }],
    },
    {
      title: 'appVersion.section.screenshots',
      fields: [
        {
          name: 'screenshots',
          label: 'appVersion.screenshots',
          help: 'appVersion.screenshots.help',
          Control: ScreenshotsControl,
          wide: true,
        },
      ],
    },
    {
      title: 'appVersion.section.audience',
      fields: [
        {
          name: 'productIds',
          label: 'appVersion.productIds',
          help: 'appVersion.productIds.help',
          kind: 'multi',
          useChoices: useProducts,
          needed: true,
        },
        { name: 'channel', label: 'appVersion.channel', kind: 'radio', names: 'appVersion.channel.' },
        { name: 'scope', label: 'appVersion.scope', kind: 'radio', names: 'appVersion.scope.', wide: true },
        {
          name: 'deptIds',
          label: 'appVersion.deptIds',
          kind: 'multi',
          useChoices: useDepts,
          wide: true,
          needed: true,
          when: (values) => values.scope === '1',
        },
        {
          name: 'sns',
          label: 'appVersion.sns',
          help: 'appVersion.sns.help',
          kind: 'tags',
          wide: true,
          needed: true,
          when: (values) => values.scope === '2',
        },
      ],
    },
  ],
  done: (row) => versionPath(row as { id: number }),
  cancel: '/dev',
});
