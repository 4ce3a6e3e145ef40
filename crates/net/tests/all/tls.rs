//! TLS, with certificates that are good and some that are not, and an environment that means no good.
//!
//! Which authorities are trusted and what the environment says is a matter of the whole process. So these tests start
//! the servers and run themselves again in a child, which does the fetching.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use readstone_base::{Class, Failure as _};
use readstone_net::{Ending, Error, Fetched, Fetcher, NetPolicy};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::peer::Peer;
use crate::{ASK, Book, for_ever, get, policy, url};

/// Where a child finds the ports of the servers.
const PORTS: &str = "READSTONE_TEST_PORTS";
const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsafe";

/// The ports, when this is a child.
#[expect(clippy::disallowed_methods, reason = "a test that runs itself again has to know that it does")]
fn ports() -> Option<Vec<u16>> {
    let ports = std::env::var(PORTS).ok()?;
    Some(ports.split(' ').map(|port| port.parse().unwrap()).collect())
}

/// Runs a test of this file again, in a child with its own environment.
#[expect(clippy::disallowed_methods, reason = "the environment of a process is only set from outside")]
fn again(test: &str, ports: &[u16], environment: &[(&str, &str)]) {
    let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test]).env(PORTS, ports.join(" ")).envs(environment.iter().copied());
    let done = child.output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&done.stderr));
}

/// An authority that signs what it is given.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, "the authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self { pem: params.self_signed(&key).unwrap().pem(), issuer: Issuer::new(params, key) }
    }

    /// A server that answers every request with the same bytes; the end of its answers is said as TLS has it.
    fn server(&self, params: &CertificateParams, answer: &str) -> u16 {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        serve(&certificate, &key, answer, |stream| stream.conn.send_close_notify())
    }
}

type Secure = StreamOwned<ServerConnection, TcpStream>;

fn serve(certificate: &rcgen::Certificate, key: &KeyPair, answer: &str, end: fn(&mut Secure)) -> u16 {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key).unwrap();
    let (config, answer) = (Arc::new(config), answer.to_owned());
    listen(move |tcp| {
        let mut stream = StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), tcp);
        let mut asked = Vec::new();
        let mut piece = [0; 1024];
        while !asked.ends_with(b"\r\n\r\n") {
            match stream.read(&mut piece) {
                Ok(0) | Err(_) => return,
                Ok(came) => asked.extend_from_slice(&piece[..came]),
            }
        }
        drop(stream.write_all(answer.as_bytes()));
        end(&mut stream);
        drop(stream.flush());
    })
}

/// Gives every connection to a function, for as long as the test runs.
fn listen(attend: impl Fn(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || listener.incoming().flatten().for_each(attend));
    port
}

fn names(host: &str) -> CertificateParams {
    CertificateParams::new(vec![host.to_owned()]).unwrap()
}

/// Fetches from a server that calls itself `safe.example`.
fn secure(port: u16) -> Result<Fetched, Error> {
    let fetcher = Fetcher::with_resolver(policy(&["loopback"]), Book::of(&[&["127.0.0.1"]])).unwrap();
    fetcher.get(&url(&format!("https://safe.example:{port}/")), &ASK, &for_ever())
}

fn refused(port: u16) -> String {
    let error = secure(port).unwrap_err();
    assert_eq!((error.code(), error.class()), ("net.tls", Class::Outside), "{error}");
    error.to_string().to_lowercase()
}

#[test]
fn n15_only_a_certificate_of_this_host_from_a_trusted_authority_that_is_valid_now_will_do() {
    if let Some(ports) = ports() {
        assert_eq!(secure(ports[0]).unwrap().body, b"safe");
        assert!(refused(ports[1]).contains("expired"));
        assert!(refused(ports[2]).contains("not valid for name"));
        assert!(refused(ports[3]).contains("unknownissuer"));
        refused(ports[4]);
        refused(ports[5]);
        let cut = secure(ports[6]).unwrap();
        assert_eq!(cut.body, b"half");
        assert!(matches!(cut.ending, Ending::Broken(_)), "{:?}", cut.ending);
        return;
    }
    let authority = Authority::new();
    let mut expired = names("safe.example");
    expired.not_before = date_time_ymd(2001, 1, 1);
    expired.not_after = date_time_ymd(2002, 1, 1);
    let key = KeyPair::generate().unwrap();
    let own = names("safe.example").self_signed(&key).unwrap();
    let signed = names("safe.example").signed_by(&key, &authority.issuer).unwrap();
    let ports = [
        authority.server(&names("safe.example"), PAGE),
        authority.server(&expired, PAGE),
        authority.server(&names("other.example"), PAGE),
        serve(&own, &key, PAGE, |_| ()),
        listen(too_old),
        listen(|mut tcp| drop(tcp.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"))),
        serve(&signed, &key, "HTTP/1.1 200 OK\r\n\r\nhalf", |_| ()),
    ];
    trusting(
        &authority,
        "tls::n15_only_a_certificate_of_this_host_from_a_trusted_authority_that_is_valid_now_will_do",
        &ports,
    );
}

/// Agrees to TLS 1.0 and nothing newer.
fn too_old(mut tcp: TcpStream) {
    let mut piece = [0; 4096];
    drop(tcp.read(&mut piece));
    let hello = [&[0x03, 0x01][..], &[7; 32], &[0, 0xc0, 0x14, 0]].concat();
    let length = u8::try_from(hello.len()).unwrap();
    let record = [&[0x16, 0x03, 0x01, 0, length + 4, 2, 0, 0, length], hello.as_slice()].concat();
    drop(tcp.write_all(&record));
    drop(tcp.read(&mut piece));
}

fn trusting(authority: &Authority, test: &str, ports: &[u16]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, &authority.pem).unwrap();
    again(test, ports, &[("SSL_CERT_FILE", file.to_str().unwrap())]);
}

#[test]
fn n16_behind_a_proxy_the_certificate_is_still_the_one_of_the_host() {
    if let Some(ports) = ports() {
        for (port, right) in [(ports[0], true), (ports[1], false)] {
            let proxy = Peer::proxy_to((Ipv4Addr::LOCALHOST, port).into()).unwrap();
            let policy = NetPolicy { proxy: Some(proxy.url("")), ..NetPolicy::default() };
            let fetcher = Fetcher::with_resolver(policy, Book::of(&[&["203.0.114.77"]])).unwrap();
            let page = fetcher.get(&url("https://safe.example/"), &ASK, &for_ever());
            assert_eq!(page.map_or_else(|error| error.code(), |_| "fetched") == "fetched", right);
            assert_eq!(proxy.asked()[0].target, "203.0.114.77:443");
        }
        return;
    }
    let authority = Authority::new();
    let ports = ["safe.example", "other.example"].map(|host| authority.server(&names(host), PAGE));
    trusting(&authority, "tls::n16_behind_a_proxy_the_certificate_is_still_the_one_of_the_host", &ports);
}

#[test]
fn n19_a_way_from_safe_to_unsafe_is_marked() {
    if let Some(ports) = ports() {
        let page = secure(ports[0]).unwrap();
        assert_eq!((page.downgraded, page.hops.len(), page.url.is_secure()), (true, 1, false));
        let peer = Peer::start().unwrap();
        assert!(!get(&peer.url("/redirect_chain/1")).unwrap().downgraded);
        return;
    }
    let peer = Peer::start().unwrap();
    let authority = Authority::new();
    let away = format!("HTTP/1.1 301 Moved\r\nLocation: {}\r\n\r\n", peer.url("/"));
    let port = authority.server(&names("safe.example"), &away);
    trusting(&authority, "tls::n19_a_way_from_safe_to_unsafe_is_marked", &[port]);
}

#[test]
fn n16_proxies_of_the_environment_are_not_used() {
    if let Some(ports) = ports() {
        let page = get(&format!("http://127.0.0.1:{}/", ports[0])).unwrap();
        assert_eq!(page.body, b"<p>hello</p>");
        return;
    }
    let (peer, proxy) = (Peer::start().unwrap(), Peer::start().unwrap());
    let place = proxy.url("");
    let names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let mut environment = names.map(|name| (name, place.as_str())).to_vec();
    environment.push(("NO_PROXY", ""));
    again("tls::n16_proxies_of_the_environment_are_not_used", &[peer.address().port()], &environment);
    assert_eq!((peer.connections(), proxy.connections()), (1, 0));
}
