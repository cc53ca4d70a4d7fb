import type { Boat } from './calls.ts';

/** What the gallery's calls answer: as much, as slow or as wrong as its address says. */
const mode = () => new URLSearchParams(location.search).get('show') ?? '';
const names = [
  'Harbour Street 12',
  'Café Marée',
  'Northern Light Fuel Station No. 7 at the Old Ferry Road',
  '海港路便利店',
  'مقهى الميناء',
  'Quay Books',
];
const kinds = ['firmware', 'module', 'patch', 'app', 'param'] as const;
const states = ['3', '3', '3', '2', '1', '4', '5'] as const;

const allowing = (allowedActions: string[]) => ({ allowedActions, offers: allowedActions });
const boat = (id: number): Boat => ({
  id,
  sn: `MR${String(100_000 + id * 37)}-${String(id % 97).padStart(2, '0')}`,
  name: names[id % names.length] ?? '',
  status: states[id % states.length] ?? '3',
  kind: kinds[id % kinds.length] ?? 'app',
  size: (id * 7_654_321) % 90_000_000,
  share: (id * 13) % 101,
  tags: id % 3 === 0 ? ['pilot', 'eu-west'] : [],
  on: id % 2 === 0,
  seenAt: id % 5 === 0 ? null : new Date(Date.now() - id * 190_000).toISOString(),
  createdAt: new Date(Date.UTC(2026, 9, 1) - id * 8_640_000).toISOString(),
  ...allowing(id % 2 === 0 ? ['disable', 'delete'] : ['delete']),
});

const TOTAL = 12_345;
const done = (body: unknown) => ({ code: 200, body, message: '' });

function answer(path: string, input: Record<string, never>): unknown {
  const show = mode();
  if (path.startsWith('/form/')) return done(null);
  if (show.endsWith('error') || show.endsWith('failed'))
    return { code: 500, body: { fault: 'UNEXPECTED' }, message: 'Something went wrong on the server.' };
  if (path === '/__gallery/page') {
    const { criteria, page } = input as unknown as { criteria: { text?: string }; page: { size: number; number: number } };
    const count = show.endsWith('empty') || criteria.text === 'nothing' ? 0 : TOTAL;
    const rows = Array.from({ length: Math.min(page.size, count) }, (_, at) => boat((page.number - 1) * page.size + at + 1));
    return done({
      content: rows,
      total: Math.min(count, 10_001),
      capped: count > 10_000,
      number: page.number,
      size: page.size,
      next: count > page.number * page.size ? `n${page.number}` : null,
      prev: page.number > 1 ? `p${page.number}` : null,
    });
  }
  if (path === '/__gallery/detail') return done(boat(7));
  if (path === '/__gallery/disable') {
    const { preview, of } = input as unknown as { preview: boolean; of: { ids?: number[] } };
    const total = of.ids?.length ?? TOTAL;
    const failed = preview ? [] : [{ id: 3, label: 'MR100111-03', fault: 'OVERTAKEN' }];
    return done({ total, done: preview ? 0 : total - 3, refused: 2, failed, work: total > 1000 && !preview ? 1 : null });
  }
  if (path === '/__gallery/add' || path === '/__gallery/update') {
    const { name } = input as unknown as { name: string };
    if (name === 'taken')
      return {
        code: 400,
        body: { fault: 'BAD_INPUT', fields: { name: { key: 'x', message: 'This name is in use already.' } } },
        message: 'Some of the input is not valid.',
      };
    return done(boat(1));
  }
  return done(null);
}

export function answerGallery(): void {
  const real = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (target, options) => {
    const path = String(target).replace(/^.*\/ops/, '');
    if (!path.startsWith('/__gallery') && !path.startsWith('/form/')) return real(target, options);
    if (mode().endsWith('loading')) return new Promise(() => {});
    await new Promise((resolve) => setTimeout(resolve, 120));
    return Response.json(answer(path.split('?')[0] ?? '', JSON.parse(String(options?.body ?? '{}'))));
  };
}
