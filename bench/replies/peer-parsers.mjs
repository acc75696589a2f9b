export async function loadPeerParsers() {
  return [];
}
