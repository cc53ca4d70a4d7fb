export { type Figure, figuresNow, versionsIn } from './figures.ts';
export { foldAll } from './fold.ts';
export { followUnit } from './follow-unit.ts';
export { countSentBytes } from './sent-bytes.ts';
