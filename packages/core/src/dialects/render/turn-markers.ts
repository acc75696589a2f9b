/** What opens and closes turns in chat templates: in foreign text it could end one early. */
export { turnMarkers } from '../../chat/turn-markers.ts';
