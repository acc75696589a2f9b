/** The never-check of a switch over events: the compiler refuses a switch that forgets one, and this says so at run time. */
export function unknownEvent(event: never): Error {
  return new Error(`no rule for the event ${JSON.stringify(event)}`);
}
