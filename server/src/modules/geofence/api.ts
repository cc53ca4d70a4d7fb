export { notePositions } from './note-positions.ts';
