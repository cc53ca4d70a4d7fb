export { spaceFault } from './check-kind.ts';
export { lockBlob } from './file-queries.ts';
export { redraw } from './store-picture.ts';
export { DROP_BLOB } from './sweep.ts';
