interface Point {
  readonly name: string;
  readonly seriesName?: string;
  readonly seriesType?: string;
  readonly color?: unknown;
  readonly value?: unknown;
}

/** What stands at a point, in the direction of the page: the library's own box knows one only. */
export function chartTip(found: unknown, write: (value: number) => string): HTMLElement {
  const points = (Array.isArray(found) ? found : [found]) as Point[];
  const box = document.createElement('div');
  box.className = 'm-chart-tip';
  box.dir = document.documentElement.dir || 'ltr';
  const add = (tag: string, text = '') => {
    const made = document.createElement(tag);
    made.textContent = text;
    box.append(made);
    return made;
  };
  const pie = points[0]?.seriesType === 'pie';
  add('span', (pie ? points[0]?.seriesName : points[0]?.name) ?? '');
  for (const point of points) {
    const mark = add('i');
    if (typeof point.color === 'string') mark.style.background = point.color;
    add('span', (pie ? point.name : point.seriesName) ?? '');
    add('b', typeof point.value === 'number' ? write(point.value) : '–');
  }
  return box;
}
