/** Which members of one object or list a schema describes, for the keywords that speak of all others. */
export class Evaluated {
  readonly members = new Set<string | number>();

  has(member: string | number): boolean {
    return this.members.has(member);
  }

  add(member: string | number): void {
    this.members.add(member);
  }

  addAll(other: Evaluated): void {
    for (const member of other.members) this.members.add(member);
  }
}
